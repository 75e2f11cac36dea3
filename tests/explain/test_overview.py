"""The overview of a graph: motif weights by class and role."""

import numpy as np

from infomotif.explain import explain_graph


def test_overview_means_are_those_of_alpha(subject):
    overview = explain_graph(subject, roles=2)
    np.testing.assert_allclose(overview.weights, subject.alpha.mean(axis=0), rtol=1e-6)
    first = overview.classes[0]
    number = subject.class_names.index(first.name)
    np.testing.assert_allclose(first.weights, subject.alpha[subject.predicted == number].mean(axis=0), rtol=1e-5)
