"""PanzerBlitz by Shaun Appleby's restatement of its transport rules."""
