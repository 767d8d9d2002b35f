"""
What a saved game of VASL is to ASL.

Counters become unit types by what is printed on them (``kinds``), stacks units with what they
carry and what marks them (``stacks``), and the whole a scene (``scenes``).
"""
