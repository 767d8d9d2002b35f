"""The verb ``casualties``: what the owner of units under fire, and who fires at them, had best do."""
