"""The contents page: which clauses read which facts, in their order."""

from __future__ import annotations

from marchtable.rules.subjects import Subjects

VERBS = """
    start stop turn leave-road enter minimum impulse leave disband join double-time lend load unload hook unhook
    portee abandon man mount dismount gallop split combine delay esb hatch unbog dispense form task-check exit
    motion vca end set-out assault advance shift crest descend climb wall-advantage get-beneath stairs push dash
    smoke search dare place switch rout surrender drop recover transfer hand-over release mop-up clear clearance
    bypass along into bail-out tca destroy wave result capture strike sight
"""
"""The order of the verbs in schemas, lists of candidates and environments; those not listed come last."""

RECORDS = """
    Standing Arrival Departure Shelter Entangled Climbing Climbed Cresting Grenades Thrown Routing Escorting
    Interdicted Surrendering Switching Placing WaveForming WaveUnit Surging WaveEnd Owing Charging Daring Dared
    Searching Custody Keeping Unguarded MoppingUp Clearing Cleared Pushing Pushed Dashing Jump Group Escort
    Entry Swing StartStop Ending Linger Detached Declaration SettingOut Course Handling Detection Moment Parting
    ConvoySetUp ColumnSetUp BlastNear PlatoonSetUp Lineup ConvoyLineup ConvoyByChance ColumnByChance BehindLeavers
    AboutToDisband Restarting LineEnd Leaving Parted Idle Joining Joined TaskResult ConvoyFire Follow Disbanding Mates Shaken
    ComingOn Forming Bereft Steadying NerveResult Link Payment AdvanceCost Allowance BogResult WreckResult Wound
    Walling MineResult CollapseResult Wait Burst MotionTry DriveResult Veering Stranding Stunning HatchChange
    Freeing Assisting Dispensing Dispensed Freed Boarding Mounting Ridden Splitting Combining Yoking Halted
    Dismounting Unhorsed Spilled Unseated TiredRider Embark Disembark Alight Abandonment Emptied Taking Manned
    CrewLost Hold Orphaned LastPrcLost Slew Plunge BailResult Haul Hitch EnPortee Busy Lost Shot Mounted Carriage
    PhaseOrder Exhausted HatchesChanged MotionTried DispenserTried UnderDm Unrouted TurnBegins MovedHazardously
    LeftInBypass StunnedCrew Trapped OffBoardLine
"""
"""The order of the records, which decides among several conflict candidates."""
SPEAKING = """
    A3.3 A4.7a E11.52a A4.7b A4.7c A4.1a A4.1b A2.5 A2.5a A2.6b A2.51a A2.6a B27.4 B26.4d B11.4 B11.41b B11.43
    B11.43b B11.43c B11.43d B11.432 B11.41 B20.91 B20.91b B20.91c B20.91d B24.2 B20.91e A24.1a A24.1b A24.1c
    A24.1d A24.11 A24.11b A24.1e A24.1f A24.1g A3.6 A19.12a A19.12b D6.1n A10.5a A10.5h A10.62 A10.4b A10.51a
    A10.51b A10.51c A10.51d A10.52a E1.54 E4.33 A10.52b A10.711b A10.53 A10.53b A10.53c A10.711a A10.711c
    A20.21a A20.21b E1.54b A20.21c E4.2a E4.2b E4.32 E4.3c D15.81e D15.82 D15.8a A23.3a A23.3b A23.3c A23.3d
    A23.3e G1.5 A25.23a A25.23b A25.23c A25.23e A25.23d A25.23f A25.231 A25.232c A25.232e A25.232f A25.232d
    A25.2321 A25.2322 A25.233a A25.234a A25.234b A25.234c A15.43c A15.43d A15.43a A15.43b A15.431c A15.432
    A4.15c A4.15d A4.15e A4.15f A12.152a A12.152b A12.152c A12.152d A20.53a A20.53b A20.5e A20.51b A20.52 A20.5a
    A20.51a A20.2 A20.5b A20.5c A20.5d A20.5f A12.153a A12.153b A12.153c B24.7a B24.7b B24.71b B24.71c B24.73
    B24.7c B24.7d E3.732 B24.7e B24.7f B24.74 C10.3 C10.3d C10.3f A4.63a A4.63b A4.63c A4.63d A4.63f A4.63g
    A4.63h A4.7d A4.2b D9.31a D9.31b D9.31c D9.31g D9.31d D14.33 A4.134c A4.12b D2.12b D2.11c D2.2a D2.2b C10.1f
    B13.42 B3.4e A4.3a x-clear A4.3b A4.3h B26.44 B29.4 B32.52 A4.31b B16.6 C10.1e A4.3i B31.11 A2.6d A4.3d
    A4.3e D2.31 D2.3b D2.3c D2.3d B1 B2 B7 B12 B12.7 B13 B13.82 B14 B14-cactus B14-olive B15 B15.6 B16
    B16-mudflat B17 B18 B19 B20-dry B20-shallow B20-deep B21 B23-wood B34.4 B23.211 B23-stone B24-wood B24-stone
    B32 B32-wreck B35 B37 B6 B4 B5 B6.44 B20-flooded B20.81 B23.74 B23.73 x-terrain A2.4 B19.4a B20.4 B20.91g
    B33.12 B24.121 B20.43 D2.12c D2.33a D2.11a x-turn D16.2 D16.21 B16.72 B21.4 B21.41c B21.41b B21.41 B3.4a
    B3.4b D2.16 B13.6 B13.6b B18.41 B6.41 E3.722 B21.6 E3.6 E3.724 B23.23 B23.4 B23.421 B23.42 B23.422 B23.8
    B23.87 B23.25 B23.711 B23.922 B23.911 B23.742a B27.54 B3.43 B2-among B2.4 B13.421c B13.4212 B24.71 A24.7 B26
    B27-foxhole B27-trench B27.56 B30 B25 C1.5 B26.44b B5.42b B10.4a B10.4b B10.5 B19.4b A4.3c D2.3a B9-wall
    B9-hedge B9.5 B9.7 B11 B29 B23.71 B32.2 x-hexside B9.4 B16.42 B9.54 B9.54a B11.432b B11.432c B11.432d B23.41
    B37.3 D5.3 B13.41a A4.132 B13.41b B13.41c D2.1a B6.44b B6.44c B6.1 B4.42a B5.42a B23.423 C10.3a B4.4
    B23.742b B23.742c B34.4b B34.41 B34.3 B34.42 B6.42a B6.431 B6.431d B6.431a B6.431c B3.4-along x-slope x-road
    B3.4d B16.42b D16.2b D16.2c D12.1b B6.43 B6.431b B4.42b B5.42c D2.2d D2.11b x-counter B26.4a B9.41 B27.1
    B28.44 B28.4 B28.41 B28.41b B28.412 B28.411 B28.43 B26.4 B27.4b B27.13b B20.91f B20.93a B20.93b B20.93c
    B20.91h B26.4e B27.6 B27.44 B27.41 B27.56b B27.13 B27.12 B30.111 B30.42 B26.46 B26.4f B13.421 D8.21b D8.21c
    B23.41b B26.53 D2.12a D16.2d D2.4 D2.4b D2.33b A4.3f D2.33d A4.31 A2.5e E1.53c A12.15b A12.15d A12.15c
    A12.151 A4.6a A4.6b D9.31e A4.62a A4.63i E11.52b E11.54b E11.4 A4.61g A4.12d E11.2a E11.2d E11.1a E11.24a
    E11.5a E11.2f E11.2g D14.31a E11.255a E11.2h D14.31b E11.1b E11.5d E11.252a E11.255c E11.21a E11.254c E11.21e
    E11.255b E11.523b E11.26 E11.523a E11.523c E11.53d E11.534a E11.531a E11.532a E11.532b E11.532c E11.53b
    E11.533a E11.533b E11.533c E11.534b E11.53c D14.2a D14.2b D14.21a D14.21b D14.21c D14.22a D14.22b D14.22c
    E11.51 E11.54a E11.531b E11.535b E11.7b E11.7c A2.5b A4.2a A7.8a A10.4 A4.1c D2.1c D8.1 D5.34 D5.34b D5.341c
    C7.41 D5.41 D5.341 D8.3a D8.3c D8.3d D5.5 D5.5b E11.535a E11.536 E11.54c D14.21e D14.212 D14.23b D14.23c
    A2.6f E11.5g E11.6c E11.5b E11.254a E11.254b D2.18 D2.1b D2.7 D2.15 A4.134b A4.11b A4.61b A4.134 A4.7e A4.72
    D2.5b D2.5c A4.11a A17.2b A13.34 A19.31a A17.2 A4.11c A4.12a A12.11d A15.431b A25.232a A10.5b E11.52e
    A19.31b D6.4h A4.42a A4.52 A4.42b A4.42f A4.5a E4.31b A13.36d D12.4b A4.5d B3.4c E11.52c B9.541c B13.421a
    B13.421b B13.421e A2.51b D2.14 E11.23a E11.23c E11.2b E11.2j E11.2c E11.2l E3.54 E3.64 E3.723b E3.723
    E3.724b E3.733 E3.7331 E3.733b E4.3 D12.5 E11.521c E11.22b E11.2e D15.46b D15.46c D12.4d D12.4e B9.32 B9.32b
    B9.32c B9.321 B9.322 B9.322b B9.323 B9.322c B6.42b B6.42c D2.17 D10.42 D2.5a D2.6b E11.24b D2.401a D2.401b
    D2.401d D5.342 D5.341b D5.33a D5.33c D6.62d D13.2a D13.33 D13.32 E3.53 D13.2b D13.3 D13.35 D8.3b D8.31 D2.51
    E11.22a E11.2i B13.43 D6.21b D6.21a D6.21c D6.21d D6.4e D6.4d C10.11f A13.31a D15.41a A13.31d A13.32 D15.1
    D15.4b A13.31c D15.41c A13.32b A13.32c D15.44a A13.32d D15.44b D12.2b A13.31e D15.43 A13.31b D15.41b D12.1c
    A13.51 D15.53 A13.3b D6.4a D6.5c D6.5a D5.41a D5.41b D5.42a D5.42c A21.22 D5.341d D5.41c A4.42e A13.33
    A13.33b D2.7b D13.2d A4.1e A4.1g A4.152 A15.43 A15.431a A12.11 E11.2m D14.31 A2.6e E11.52f E11.5c E11.52d
    A25.232b D14.21d D14.22d D14.23a D14.23d D14.24 E11.21b E11.21c E11.521a E11.521b C10.1b E11.2k C10.1c C10.4
    C10.11a A5.11a A5.11b A5.1 E11.5f D2.2c C10.3b C10.3c E4.3a E4.3d E4.31 D15.81a D15.81c D15.83 D15.81b D7.1a
    D7.1c D7.13 D7.14 D7.1b A4.14 A20.54 A4.15 B30.1 A13.6 B16.4 A4.71 A4.61c A4.61f A4.4b E1.51a E1.52a A4.15b
    D16.21b B9.541 A11.6b D2.13 D12.1a D2.33c E11.8 D2.6 A4.5b A4.5c A4.42d A13.33c A4.51 A4.61a A4.61d D15.81d
    E4.21 E4.21b E1.51c A4.43a A10.4c A4.43b A4.43c A4.431 A4.44a A4.44f A4.44d A4.44e B26.4b B26.4c D6.31a
    D6.5n D6.31b B11.4c B11.434 A4.44b A4.44c E11.25a E11.53a E11.25b E11.25c E11.252c B27.13u B23.4u B20.9
    B11.4b E11.6a E1.531 E1.53b E11.253 E11.53e E11.252b E11.251b E11.251c E11.251d E11.251e E11.5e E11.251a
    E11.254d E1.51b D15.2 D8.11 D6.5r D6.5k D6.4b D6.4c A12.2c D6.4i D6.631a D6.83a D6.631b D5.42b D5.311 D6.1d
    D6.1e D6.2f D6.81a D6.81b E11.3b E11.3a E11.6b E1.53a E1.53d E1.52b D6.3b C10.5b D6.4k D6.4f D6.1c D6.81c
    D6.2d D6.2b D6.2c D6.2e D6.23b D6.24a D6.24b D6.24c D6.24f D6.24g D6.24h C10.1a D12.2 D6.62e D3.12 C10.12
    C10.5c C10.11b C10.12c C10.12b C10.21 C10.111 C10.11e C10.11c C10.11d C10.5a C10.51 C10.51b C10.51c C10.51d
    C10.51e D6.9c D6.82e D6.5b D6.5f C10.3g C10.3e A4.63e A4.3j A13.7 D15.4 E4.3b E4.6 D15.82b D6.5d D6.5e D6.5h
    D6.5m D6.5q D6.5g D6.9a A4.62c D6.9b D6.4j D6.5j D5.43 D5.43b D6.1a D6.63b D6.1b D6.1f D6.1i D6.1h D6.22a
    D6.22b D6.22c D6.23a D6.5i D6.5p D6.62a D6.61a D6.63a D6.61b D6.7a D6.72a D6.84a D6.6a D6.61c D6.61d D6.61e
    D6.61f D6.62b D6.62c D6.66 D6.64b D6.64f D6.64c D6.64g D6.64d D6.64a D6.64e D6.65a D6.65b D6.65f D6.651b
    D6.651e D6.7b D6.7c D6.71a D6.71b D6.71c D6.8 D6.81d D6.82a D6.82d D6.631d A4.61e A4.5e A4.42c D6.65c A13.3
    D6.65d D6.65e A4.12c A12.15a A12.15e E11.522b E11.522a A12.2 E1.31 A12.11b A12.11c A15.431d A25.233b D8.2 B13.421d D8.21d
    B9.541b D9.31f D8.21a D16.23 D8.23 D15.46a A13.36b D12.4c A13.36a A13.36e D12.4a A13.36c D6.651a D6.651c
    D6.651d D6.71d D6.72b D6.72c D6.82b D6.82c D6.631c D6.83b D6.84b D6.84c D6.5l D6.5o D6.24d D6.24e D6.24i
    D6.9d C10.1d A3 A3b A3c D5.33b D13.2c D2.401c A7.8b A11.15 A10.62b A10.5f A10.5g A4.1d A4.62b A4.33 D5.34c
    E11.7a D6.1g D6.2a D6.3a D6.4g
"""
"""The order of the clauses, from all files. An unlisted clause follows the one before it in its file."""
SUBJECTS = Subjects(
    "marchtable_models.asl.rules",
    actions=VERBS.split(),
    records=RECORDS.split(),
    speaking=SPEAKING.split(),
)
