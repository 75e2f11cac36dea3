"""Every reader under hypothesis: what fails is shrunk to the shortest list of edits."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.cases import files_of, try_edits
from tests.fuzz.edits import KINDS, Edit
from tests.fuzz.targets import TARGETS

EDITS = st.lists(
    st.builds(Edit, st.sampled_from(KINDS), st.floats(0, 1), st.integers(0, 1000), st.integers(0, 1 << 16)),
    min_size=1,
    max_size=4,
)


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(data=st.data(), edits=EDITS, inside=st.booleans(), reseal=st.booleans())
def test_a_reader_reads_or_refuses_in_one_line(name, data, edits, inside, reseal):
    file = data.draw(st.sampled_from(files_of(name)))
    assert try_edits(name, file, edits, inside=inside, reseal=reseal) in ("read", "refused")
