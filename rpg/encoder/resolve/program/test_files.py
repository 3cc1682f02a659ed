"""Which files hold tests, by the conventions of the languages."""


def is_test(path: str) -> bool:
    """Whether a file holds tests or what they need."""
    *folders, name = path.lower().split("/")
    if any(folder in ("tests", "test", "testing", "__tests__", "testdata", "spec", "specs") for folder in folders):
        return True
    stem = name.rsplit(".", 1)[0]
    return (
        name == "conftest.py"
        or stem.startswith("test_")
        or stem.endswith(("_test", ".test", ".spec", "_spec"))
        or stem == "tests"
    )
