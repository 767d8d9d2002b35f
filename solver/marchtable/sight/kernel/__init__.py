"""
The kernel: lines of sight over arrays.

A line of sight is blocked by what can be seen on both sides of the thread (A6.1). So two lines are
followed at once, a pixel to the left and a pixel to the right of it. What blocks both at the same
place blocks the thread; where neither is blocked it is clear; anything else changes within a
pixel and is close. Heights are in half levels, coordinates have
:data:`~marchtable.sight.field.FINE` bits after the point, so that nothing depends on where on the
canvas a board lies.

The functions run as they stand, which takes some milliseconds a line. The module
:mod:`~marchtable.sight.compiled` has them compiled by numba.
"""
