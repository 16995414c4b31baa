//! Making nodes.

#![forbid(unsafe_code)]

use crate::ir::Node;
use crate::ir::Op;
use crate::resolve::Resolver;
use crate::resolve::cardinality::cardinality;
use crate::resolve::simplify::simplified;

impl Resolver<'_> {
    pub(super) fn make(&mut self, op: Op) -> Node {
        self.nodes += 1;
        match &op {
            Op::Input | Op::Inputs => self.uses.inputs = true,
            Op::Halt(_) => self.uses.halts = true,
            Op::Environment => self.uses.environment = true,
            _ => {}
        }
        let op = simplified(op, &self.constants);
        let cardinality = cardinality(&op);
        Node { op, cardinality }
    }
}
