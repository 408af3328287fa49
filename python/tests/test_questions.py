"""select, communities and their models."""
import os

import pytest

import hiss

DATA = os.path.join(os.path.dirname(__file__), os.pardir, os.pardir, "tests",
                    "data")
TABLE = os.path.join(DATA, "regress", "tiny.csv")
GRAPH = os.path.join(DATA, "community", "small.gml")


class Frame:
    """As much of a data frame as is asked for."""

    def to_csv(self, file, index):
        assert index is False
        file.write("y,größe,b\n1,2,3\n2,1,1\n3,5,0\n4,4,2\n2,2,7\n")


def test_select_is_the_model_enumerated():
    answer = hiss.select(TABLE, "yield ~ .", threads=1)
    model = hiss.regression(TABLE, "yield ~ .")
    exact = hiss.exact(model)
    assert answer.verdict == "proved"
    assert set(answer.inclusion) == set(model.labels)
    for i, name in enumerate(model.labels):
        assert answer.inclusion[name] == pytest.approx(exact.marginal(i)[1])


def test_a_frame_will_do():
    assert set(hiss.select(Frame(), "y ~ .", threads=1).inclusion) == \
        {"größe", "b"}
    assert hiss.regression(Frame(), "y ~ b").labels == ("b",)


def test_communities_have_names():
    answer = hiss.communities(GRAPH, groups=2, samples=200, sampler="gibbs",
                              threads=1)
    assert sorted(sum(answer.groups, [])) == sorted(answer.nodes)
    assert len(answer.co_membership) == 8
    assert hiss.sbm(GRAPH, groups=2).labels == tuple(answer.nodes)


def test_mistakes_are_told():
    with pytest.raises(ValueError, match="did you mean 'rain'"):
        hiss.select(TABLE, "yield ~ rian")
    with pytest.raises(FileNotFoundError):
        hiss.communities("nowhere.gml")
    with pytest.raises(AttributeError, match="it has"):
        hiss.select(TABLE, "yield ~ .").odds
