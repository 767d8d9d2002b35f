"""
The page: a board in the browser on which you click a unit to see what it can do.

Python draws the board and its counters once, as SVG, with the painters of pictures
(:mod:`marchtable.web.drawing`), and serves files. The page itself asks the service's questions and
shows its answers (``static/``, plain modules without a build step). It knows no game: names, costs
and reasons come from the answers. Input: a browser's requests. Output: pages, drawings, imported
uploads.
"""
