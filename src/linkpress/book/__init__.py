"""What a volume is: spec, plan, production, the saved volume."""
