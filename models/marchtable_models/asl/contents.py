"""The contents page: which clauses look at which facts, in the order in which they speak."""

from __future__ import annotations

from marchtable.rules.subjects import Subjects
from marchtable_models.asl.facts.lines import Idle
from marchtable_models.asl.model import ACTIONS as OTHERS

__all__ = ["ACTIONS", "CONTENTS", "SUBJECTS"]

VERBS = """
    start stop turn leave-road enter minimum impulse leave disband join double-time lend load unload hook unhook
    portee abandon man mount dismount gallop split combine delay esb hatch unbog dispense form task-check exit
    motion vca end set-out assault advance shift crest descend climb wall-advantage get-beneath stairs push dash
    smoke search dare place switch rout surrender drop recover transfer hand-over release mop-up clear clearance
    bypass along into bail-out tca destroy wave befall capture strike sight
"""
"""The order of the verbs in schemas, lists of candidates and environments; those not listed come last."""

RECORDS = """
    Standing Arrival Departure Shelter Entangled Climbing Climbed Cresting Grenades Thrown Routing Escorting
    Interdicted Surrendering Switching Placing WaveForming WaveUnit Surging WaveEnd Owing Charging Daring Dared
    Searching Custody Keeping Unguarded MoppingUp Clearing Cleared Pushing Pushed Dashing Jump Group Escort
    Entry Swing StartStop Ending Linger Detached Declaration SettingOut Course Handling Detection Moment Parting
    Formation Lineup LineEnd Leaving Parted Idle Joining Joined TaskResult Blow Follow Disbanding Mates Shaken
    ComingOn Forming Bereft Steadying NerveResult Link Payment AdvanceCost Allowance BogResult WreckResult Wound
    Walling MineResult CollapseResult Wait Burst MotionTry DriveResult Veer Stranding Stunning HatchChange
    Freeing Assisting Dispensing Dispensed Freed Boarding Mounting Ridden Splitting Combining Yoking Halted
    Dismounting Unhorsed Spilled Unseated Toil Embark Disembark Alight Abandonment Emptied Taking Manned
    CrewLost Hold Orphaned Forsaken Slew Plunge BailResult Haul Hitch Portee Busy Lost Shot Mounted Carriage
    PhaseOrder PhaseStart
"""
"""The order of the records. Where several sets of clauses explain why a plan fails, it decides which is given."""
SPEAKING = """
    A3.3 A4.7a E11.52a A4.7b A4.1a A2.5 A2.6b A2.51a A2.6a B27.4 C10.3 C10.3d C10.3f A4.63a A4.63f A4.1b A4.7d
    A4.2b D9.31a A4.134c D2.12b D2.11c D2.2a D2.2b C10.1f B13.42 B3.4e A4.3a A4.3h B26.44 B29.4 B32.52 A4.31b
    B16.6 C10.1e A4.3i B31.11 A2.6d A4.3d D2.31 D2.3b B1 A2.4 B20.4 B20.91g B24.121 B20.43 D2.12c D2.33a D2.11a
    D16.2 B16.72 B21.4 B3.4a D2.16 B13.6 B18.41 B6.41 E3.722 E3.6 E3.724 B23.23 B23.742a B27.54 B3.43 B2-among
    B2.4 B13.421c A24.7 B26 B26.44b B5.42b B10.4a B10.5 A4.3c D2.3a B9-wall B9.4 B16.42 B9.54 B11.432b B23.41
    A4.132 B13.41b B6.44b B23.423 B4.4 B23.742b B34.4b B6.42a B6.431 B6.431c B3.4-along B3.4d B16.42b D16.2b
    D12.1b B6.43 B6.431b B4.42b D2.2d D2.11b D2.12a D16.2d E11.2a E11.2d D2.4 D2.33b A4.3e A4.3f E11.1a E11.24a
    E11.5a E11.2f E11.1b E11.5d E11.53d E11.531a E11.53b E11.533a D14.2a E11.531b E11.7c A2.5b A4.2a A7.8a D5.34
    D5.341c E11.535a D14.21a D14.21e D14.212 D14.2b D14.22a E11.51 D14.23b A2.6f D2.18 D2.15 A4.134b A4.61b
    A4.134 A4.7e D2.1a D2.5b A4.11a A13.34 A19.31a A17.2 A4.11c A4.12a A15.431b A25.232a A10.5b E11.52e A19.31b
    D6.4h A4.42a A4.42f A4.5a E4.31b A13.36d A4.5d B3.4c E11.52c D8.21c B9.541c D15.46b D12.4d A17.2b B9.32
    B28.41b B6.42b B6.42c D2.17 D2.6b E11.24b D2.401a D2.5c D2.401b D5.5 D5.34b D5.342 D5.33a D6.62d D8.3a
    D13.2a D13.33 E3.53 D13.3 D8.3b D8.31 D2.51 B26.4a B13.43 A13.31a A13.32 A13.32b A13.32c A13.31e A13.31b
    D12.1c A13.31c A13.51 D12.4e D15.46c A13.3b D6.4a D6.5a x-counter B9.41 B27.1 B26.4d B11.4 B11.41b B11.41
    B20.91 A24.1a A3.6 A19.12a A10.5a A10.4b A10.51a E4.33 A10.711b A10.53 A10.711a A10.53b A10.711c E1.54b
    A20.21c E4.2a A23.3a G1.5 A25.23a A25.23b A25.232c A25.232e A25.232d A25.2321 A25.234a A15.43c A15.43a
    A15.43b A4.15c A12.152a A20.53a A12.153a B28.44 B26.4 B27.4b B20.91f B20.93a B20.91h B26.4e B27.44 B27.56b
    B30.42 B26.46 B13.421 B13.421a A2.51b D2.14 E11.23a E11.2b E3.54 E3.64 E3.724b E3.7331 E3.733b E4.3 D12.5
    E11.521c E11.22b E11.2e E11.22a E11.2i D8.21b B28.43 D6.4e D6.4d C10.11f D5.41a D5.41b D5.42a D5.341d D5.41c
    A4.42e A13.33 D2.7b D13.2d A4.1e A4.152 A15.43 A12.11 E11.2m A2.6e E11.52f E11.5c A25.232b D14.21d D14.22d
    D14.23d E11.21b E11.521a E11.521b C10.1b E11.2k C10.1c A5.11a E11.5f D2.2c C10.3b E4.3a E4.3d D15.81a
    D15.81c D15.81b D7.1a D7.1c D7.13 A4.14 A20.54 A4.15 B30.1 B16.4 A4.61c A4.61f A4.4b E1.51a E1.52a A4.15b
    D16.21b B9.541 A11.6b D2.13 D12.1a D2.33c E11.8 D2.6 A4.5b A4.61a A4.61d D15.81d E1.51c A4.43a A10.4c A4.43b
    B26.4b D6.31a D6.5n D6.31b B11.4c A4.44b A12.15b A12.151 A4.6a A4.63i E11.52b E11.54b E11.4 A4.12b A4.61g
    A4.12d E11.25a E11.53a E11.25b E11.25c B27.13u B23.4u B11.4b E11.6a E1.53b E11.253 E11.53e E11.252b E11.251b
    E11.251c E11.251e E11.5e E11.251a E11.254d E11.252a E11.21a E11.21e E11.255b E11.523b E11.26 E11.523c E11.5g
    E11.6c E11.5b E11.254a E1.51b D15.2 D6.631a D5.42b D5.311 D6.1d E11.3b E11.6b E1.53a E1.53d E1.52b D6.3b
    C10.5b D6.4k D6.2b D6.2c D6.2e C10.11a D8.11 D6.5r D6.4b A12.2c D6.4i C10.12 C10.5c C10.11b C10.12b C10.11c
    C10.5a C10.51 C10.12c C10.11d D6.9c D6.82e D6.5b D6.5f C10.3g C10.3e A4.63e A4.3j A13.7 E4.3b D6.5d D6.5m
    D6.5q D6.9a D6.4j D5.43b D6.1a D6.62e D3.12 D6.21b D6.23b C10.1a D6.63a D6.61b D6.7a D6.6a D6.66 D6.64b
    D6.64a D6.64e D6.65a D6.65f D6.651b D6.651e D6.7b D6.8 D6.631d A4.61e A4.5e A4.42c D6.65c A4.12c A12.15a
    E11.522b A12.2 A15.431d A25.233b D8.2 D9.31f D8.21a D8.23 D15.46a A13.36b D12.4c A13.36a A13.36e D12.4a
    D6.651a D6.651c D6.71d D6.82b D6.631c D6.83b D6.5l D6.24d D6.9d A3 A4.51 B11.434 D5.33b D13.2c D2.401c A7.8b
    A11.15 A10.62b A10.5f A4.1d A4.62b A4.33 D5.34c E11.7a D6.1g
"""
"""The order of the clauses. One that is not listed speaks with the listed one before it in its file."""
SUBJECTS = Subjects(
    "marchtable_models.asl.rules",
    beside="marchtable_models.asl.clauses",
    speaking=SPEAKING.split(),
)
_VERBS = VERBS.split()
ACTIONS = tuple(
    sorted(
        (*OTHERS, *SUBJECTS.actions),
        key=lambda one: (
            _VERBS.index(tag) if (tag := str(one.__struct_config__.tag)) in _VERBS else len(_VERBS)
        ),
    )
)
"""All verbs, those of subjects and those that are not yet in a subject's file."""
_RANKS = {name: n for n, name in enumerate(RECORDS.split())}
CONTENTS = dict(
    sorted(
        {**SUBJECTS.contents, Idle: ()}.items(),
        key=lambda page: _RANKS.get(page[0].__name__, len(_RANKS)),
    )
)
"""Which clauses look at which records. What an idle unit does has a price at most."""
