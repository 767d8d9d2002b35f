"""
VASL saved games for ASL.

Counters become unit types by what is printed on them (``kinds``), stacks become units with their
loads and markers (``stacks``), and the whole becomes a scene (``scenes``).
"""
