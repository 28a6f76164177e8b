"""Reading answers blind: review, reviewers measured on known answers, the content judge, pairwise comparison."""
