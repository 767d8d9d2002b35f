"""
The page: a board in the browser on which you click a unit to see what it can do.

Python draws the board and its counters once, as SVG, with the painters that make pictures
(:mod:`marchtable.web.drawing`), and serves files; what happens on the page asks the service's
questions and shows its answers (``static/``, plain modules without a build step). The page knows no
game: names, costs and reasons are the answers' own words. Comes in: what a browser asks. Goes out:
pages, drawings, uploads taken in.
"""
