"""Running an experiment: the schedule, workers, and the store of finished runs."""
