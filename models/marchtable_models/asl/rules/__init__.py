"""The rules, one file a subject. See ``docs/how-to-add-a-rule.md``."""
