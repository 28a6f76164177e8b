"""What questions are about: a tree of ten fixed roots that grows by what members say."""
