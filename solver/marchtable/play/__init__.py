"""
For those who write opponents: legal actions by the thousand, games, batches, threat maps.

The slow generator (:mod:`marchtable.generator`) tries candidates and asks ``rule`` of each; what is
here says the same, sooner. What a unit may do is kept by all that it depends on, in the rulebook's
own words (:class:`marchtable.offers.Likeness`); where the rulebook calls a unit like nobody, the slow
generator is asked. Nothing here decides what is legal.
"""
