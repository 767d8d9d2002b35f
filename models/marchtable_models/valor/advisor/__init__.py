"""The verb ``casualties``: best play for the owner of units under fire, and for the firer."""
