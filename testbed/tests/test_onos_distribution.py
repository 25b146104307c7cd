import pytest

from evenweave_testbed.onos.distribution import KARAF, Distribution, OnosMissing, atomix_server


def unpacked(directory, version):
    """What is looked for in an unpacked ONOS."""
    (directory / "bin").mkdir(parents=True)
    (directory / "bin/onos-service").touch()
    (directory / KARAF).mkdir()
    (directory / "VERSION").write_text(version)
    return str(directory)


def java(directory, version):
    """A Java home whose Java says that it is of this version, in the words of OpenJDK."""
    program = directory / "bin/java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2021-10-19' >&2\n")
    program.chmod(0o755)
    return str(directory)


def test_onos_and_java_are_where_the_environment_says(tmp_path):
    environment = {
        "ONOS_HOME": unpacked(tmp_path / "onos", "2.7.0"),
        "ONOS_JAVA_HOME": java(tmp_path / "java", "11.0.13"),
    }
    found = Distribution.find(environment)
    assert (found.onos, found.java) == (tmp_path / "onos", tmp_path / "java")


@pytest.mark.parametrize(
    ("version", "said"), [(None, "holds no ONOS 2.7.0"), ("2.5.1", "holds ONOS 2.5.1, not 2.7.0")]
)
def test_without_the_right_onos_it_says_where_to_get_it(tmp_path, version, said):
    if version:
        unpacked(tmp_path / "onos", version)
    with pytest.raises(OnosMissing, match=rf"{said}.*onosproject\.org.*ONOS_HOME"):
        Distribution.find({"ONOS_HOME": str(tmp_path / "onos")})


def test_a_java_that_is_named_must_be_11(tmp_path):
    environment = {
        "ONOS_HOME": unpacked(tmp_path / "onos", "2.7.0"),
        "ONOS_JAVA_HOME": java(tmp_path / "java", "1.8.0_292"),
    }
    with pytest.raises(OnosMissing, match="has Java 8: set ONOS_JAVA_HOME"):
        Distribution.find(environment)


def test_the_machines_java_is_taken_if_it_is_11(tmp_path):
    environment = {
        "ONOS_HOME": unpacked(tmp_path / "onos", "2.7.0"),
        "JAVA_HOME": java(tmp_path / "java", "11.0.22"),
    }
    assert Distribution.find(environment).java == tmp_path / "java"


def test_without_atomix_it_says_what_it_is_for(tmp_path):
    with pytest.raises(OnosMissing, match="keeps its state in Atomix"):
        atomix_server({"ATOMIX_HOME": str(tmp_path)})
