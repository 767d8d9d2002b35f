"""Columns and codes of the kernel's arrays, as plain numbers that numba treats as constants."""

from __future__ import annotations

from marchtable.sight.facts import Advantage, Does, SightReason
from marchtable.sight.field import Hex

CLEAR, BLOCKED, CLOSE, HIDDEN = range(4)
"""Verdicts; hidden means unknown."""
ROWS = 4
"""Columns of a result: verdict, reason, hex and Hindrance."""

# Effects of terrain, and columns of a kind of terrain.
OPEN, OBSTACLE, HINDRANCE, VEIL, BARE = (
    int(Does.OPEN), int(Does.OBSTACLE), int(Does.HINDRANCE), int(Does.VEIL), int(Does.BARE),
)  # fmt: skip
DEPRESSION, WALL, BOCAGE, CLIFF = (
    int(Does.DEPRESSION), int(Does.WALL), int(Does.BOCAGE), int(Does.CLIFF),
)  # fmt: skip
BAR, BRIDGE, HALL, CANOPY, UNKNOWN = (
    int(Does.BAR), int(Does.BRIDGE), int(Does.HALL), int(Does.CANOPY), int(Does.UNKNOWN),
)  # fmt: skip
DOES, TALL, DRM, WHOLE, BUILDING = range(5)

# Reasons.
R_GROUND, R_RIDGE, R_CREST, R_CLIFF = (
    int(SightReason.GROUND), int(SightReason.RIDGE), int(SightReason.CREST), int(SightReason.CLIFF),
)  # fmt: skip
R_OBSTACLE, R_BLIND, R_HALF, R_WALL, R_BOCAGE = (
    int(SightReason.OBSTACLE), int(SightReason.BLIND), int(SightReason.HALF), int(SightReason.WALL),
    int(SightReason.BOCAGE),
)  # fmt: skip
R_DEPRESSION, R_BUILDING, R_BAR, R_HINDRANCE = (
    int(SightReason.DEPRESSION), int(SightReason.BUILDING), int(SightReason.BAR), int(SightReason.HINDRANCE),
)  # fmt: skip
R_ROADBLOCK, R_ENTRENCHED, R_VERTEX, R_OFF = (
    int(SightReason.ROADBLOCK), int(SightReason.ENTRENCHED), int(SightReason.VERTEX), int(SightReason.OFF),
)  # fmt: skip
R_BRIDGE, R_ADVANTAGE, R_TERRAIN, R_SLOPE, R_BELOW = (
    int(SightReason.BRIDGE), int(SightReason.ADVANTAGE), int(SightReason.TERRAIN), int(SightReason.SLOPE),
    int(SightReason.BELOW),
)  # fmt: skip
NOT_KNOWN_YET, FORGONE, ENTRENCHED = (
    int(Advantage.UNKNOWN), int(Advantage.FORGONE), int(Advantage.ENTRENCHED),
)  # fmt: skip

# Columns of the table of hexes.
U, V, X, Y, LEVEL, BASE, IN = Hex.U, Hex.V, Hex.X, Hex.Y, Hex.LEVEL, Hex.BASE, Hex.IN
NEAR, SIDE, RISE, GAP = Hex.NEAR, Hex.SIDE, Hex.RISE, Hex.GAP
DOT_X, DOT_Y = Hex.DOT_X, Hex.DOT_Y
KIND, ROOF, BUILT, STAIRS, DECK, NOT_KNOWN, BARE_HEX = (
    Hex.KIND, Hex.ROOF, Hex.BUILT, Hex.STAIRS, Hex.DECK, Hex.UNKNOWN, Hex.BARE,
)  # fmt: skip

# Columns of a line's state: its pixel, terrain and hex; why and where it is blocked now; its
# previous hex; successive depression hexsides from either end, whether those from the first
# continue, whether it leaves either end down a depression, and whether it has left the depression
# since the last hexside; what it has met, the first hall and whether it is still inside, what is
# hidden, and what was the same here before; one more than the hex from which both lines have left
# the map.
PIXEL, CODE, HEX, WHY, WHERE, PREV = range(6)
RUN_S, RUN_T, OPEN_S, EXIT_S, EXIT_T, CREST = range(6, 12)
EVENTS, HALL_AT, INSIDE, HIDDEN_AT, HIDDEN_WHY, PLAIN, NOTED, LEFT = range(12, 20)
STATES = 20
MOST_EVENTS = 24
LONGEST_RANGE = 1024

# Columns of a hex's contents: a hindrance up to a height, and that height; a hindrance on the
# ground; whether anything is unmodelled (2: also for viewers in it); the terrain that fills it; a
# hindrance up to a greater height, and that; the height from which both rise; the closed hexsides
# (one bit each); whether the obstacle that closes one extends into the hex.
LOW, LOW_TOP, FLAT, HID, FILLS, HIGH, HIGH_TOP, BOTTOM, CLOSED, GOES_ON = range(10)
LYING = 10
"""Columns of the table of hexes' contents."""
