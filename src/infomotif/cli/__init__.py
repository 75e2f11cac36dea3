"""The ``infomotif`` command; one file per command, no logic that the library lacks."""
