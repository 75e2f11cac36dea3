"""The ``infomotif`` command; one file a command, no logic that the library lacks."""
