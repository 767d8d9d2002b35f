"""
The kernel: lines of sight over arrays.

A line of sight is blocked by what can be seen on both sides of the thread (A6.1). So the kernel
follows two lines at once, a pixel to the left and a pixel to the right of the thread. What blocks
both at the same place blocks the thread; if neither is blocked, it is clear; anything else changes
within a pixel and is close. Heights are in half levels; coordinates have
:data:`~marchtable.sight.field.FINE` fractional bits, so that nothing depends on the board's place
on the canvas.

The functions also run uncompiled, at some milliseconds per line. The module
:mod:`~marchtable.sight.compiled` compiles them with numba.
"""
