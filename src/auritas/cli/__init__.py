"""The command line: it renders what `app` yields and decides nothing."""
