"""The frozen types that use cases take and return, by resource, for whoever renders them: no code, only names."""
