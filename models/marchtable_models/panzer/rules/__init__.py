"""The rules, one file per subject. See ``docs/how-to-add-a-rule.md``."""
