"""
Plain data in and out: TOML and JSON within bounds, and structs made of it and back.

Comes in: bytes of any origin. Goes out: structs, or one error with file, field and what was
expected. Half points are halved and doubled here. Knows neither boards nor positions.
"""
