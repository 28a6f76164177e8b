"""Recovery prompts: what each model is told of the user when a new conversation begins, in its own words."""
