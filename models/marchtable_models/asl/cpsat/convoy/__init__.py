"""Plans of one Convoy by Impulses."""
