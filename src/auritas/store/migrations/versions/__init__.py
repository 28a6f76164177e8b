"""One file per migration; a file that was released never changes again."""
