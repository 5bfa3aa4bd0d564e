import pytest

from linkpress.book.named import unknown_names
from linkpress.config.shipped_files import THEMES
from linkpress.config.yaml_source import YamlSource


@pytest.fixture
def faults_of(tmp_path):
    (tmp_path / "themes").mkdir()
    (tmp_path / "own.yaml").touch()

    def said(name):
        source = YamlSource("a.yaml", {"theme": name}, {}, {})
        return [fault.message for fault in unknown_names(source, tmp_path, {("theme",): THEMES})]

    return said


@pytest.mark.parametrize("name", ["classic", "own.yaml"])
def test_a_shipped_name_and_a_file_beside_the_spec_will_do(faults_of, name):
    assert faults_of(name) == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("themes", "this is a folder, and a theme is a YAML file. Shipped: bold"),
        ("clasic", "there is no such theme and no such file. Did you mean classic?"),
    ],
)
def test_anything_else_is_a_fault_in_its_own_words(faults_of, name, said):
    (message,) = faults_of(name)
    assert message.startswith(said)
