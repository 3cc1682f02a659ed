"""What languages of infrastructure, schemas and the like say: each case is a small source, its snapshot the facts."""

from __future__ import annotations

import pytest
from listing import listed
from syrupy.assertion import SnapshotAssertion

CASES = {
    "main.tf": """
# A network.
resource "aws_vpc" "this" {
  count      = var.create ? 1 : 0
  cidr_block = local.cidr
  dynamic "ingress" {
    for_each = var.rules
    content { port = ingress.value["port"] }
  }
  depends_on = [data.aws_ami.newest, module.net]
}

provider "aws" { alias = "east" }

module "net" {
  source = "./modules/net"
  vpc_id = try(aws_vpc.this[0].id, "")
}

locals {
  ids = [for each in module.net["a"].ids : each.id if each != aws.east]
}
""",
}


@pytest.mark.parametrize("path", CASES)
def test_facts(path: str, snapshot: SnapshotAssertion) -> None:
    assert listed(path, CASES[path]) == snapshot
