"""
Plain data in and out: TOML and JSON within bounds, and conversion to and from structs.

Input: bytes of any origin. Output: structs, or one error with file, field and what was expected.
Half points are halved and doubled here. Knows neither boards nor positions.
"""
