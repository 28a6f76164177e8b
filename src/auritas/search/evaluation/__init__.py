"""What recall and the ranking of preferences reach on conversations and preferences of others."""
