//! Charges what copies or fills memory for its length.
//!
//! The engine counts each operation as one step. One that fills a memory takes milliseconds, so a
//! call could take days within its steps. Here each such operation first passes its length through
//! a function that takes steps for it, and gives it back.

use std::ops::Range;

use wasmparser::{Operator, Parser, Payload, TypeRef};

/// `(func (param i32) (result i32) (local i32))`, which counts a 128th of its argument down to 0,
/// and returns the argument.
const COUNT_DOWN: &[u8] = &[
    1, 1, 0x7f, // one local
    0x20, 0, 0x41, 7, 0x76, 0x21, 1, // local 1 is the argument, shifted by 7 bits
    0x02, 0x40, 0x03, 0x40, // in a block, a loop
    0x20, 1, 0x45, 0x0d, 1, // leaves the block at 0
    0x20, 1, 0x41, 1, 0x6b, 0x21, 1, // subtracts 1
    0x0c, 0, 0x0b, 0x0b, // and begins again
    0x20, 0, 0x0b, // the argument
];

/// `(func (param i32) (result i32))`
const TYPE: &[u8] = &[0x60, 1, 0x7f, 1, 0x7f];

const TYPES: u8 = 1;
const FUNCTIONS: u8 = 3;
const CODE: u8 = 10;
const CALL: u8 = 0x10;

/// The module with its charges. What cannot be read is left to the engine, which says why.
pub fn charged(module: &[u8]) -> Vec<u8> {
    rewritten(module).ok().flatten().unwrap_or_else(|| module.to_vec())
}

/// `None` if nothing is to be charged.
fn rewritten(module: &[u8]) -> wasmparser::Result<Option<Vec<u8>>> {
    let (mut types, mut functions) = (0, 0);
    let mut sections: Vec<(u8, Range<usize>)> = Vec::new();
    let mut bodies: Vec<(Range<usize>, Vec<usize>)> = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        sections.extend(payload.as_section());
        match payload {
            Payload::TypeSection(section) => types = section.count(),
            Payload::ImportSection(section) => {
                for import in section {
                    functions += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::FunctionSection(section) => functions += section.count(),
            Payload::CodeSectionEntry(body) => {
                let mut charges = Vec::new();
                let mut operators = body.get_operators_reader()?;
                while !operators.eof() {
                    let (operator, at) = operators.read_with_offset()?;
                    if has_length(&operator) {
                        charges.push(at);
                    }
                }
                bodies.push((body.range(), charges));
            }
            _ => {}
        }
    }
    if bodies.iter().all(|it| it.1.is_empty()) {
        return Ok(None);
    }
    let mut call = vec![CALL];
    number(&mut call, functions);
    let mut charged = module[..8].to_vec();
    for (id, range) in sections {
        let content = &module[range];
        let content = match id {
            TYPES => with_one_more(content, types, TYPE),
            FUNCTIONS => {
                let mut its_type = Vec::new();
                number(&mut its_type, types);
                with_one_more(content, bodies.len() as u32, &its_type)
            }
            CODE => code(module, &bodies, &call),
            _ => content.to_vec(),
        };
        charged.push(id);
        sized(&mut charged, &content);
    }
    Ok(Some(charged))
}

/// Whether the last operand of an operation is how much it does.
fn has_length(operator: &Operator) -> bool {
    matches!(
        operator,
        Operator::MemoryFill { .. }
            | Operator::MemoryCopy { .. }
            | Operator::MemoryInit { .. }
            | Operator::TableFill { .. }
            | Operator::TableCopy { .. }
            | Operator::TableInit { .. }
    )
}

/// The bodies of functions, with calls before what is charged, and the function that is called.
fn code(module: &[u8], bodies: &[(Range<usize>, Vec<usize>)], call: &[u8]) -> Vec<u8> {
    let mut content = Vec::new();
    number(&mut content, bodies.len() as u32 + 1);
    for (range, charges) in bodies {
        let (mut body, mut from) = (Vec::new(), range.start);
        for &at in charges {
            body.extend_from_slice(&module[from..at]);
            body.extend_from_slice(call);
            from = at;
        }
        body.extend_from_slice(&module[from..range.end]);
        sized(&mut content, &body);
    }
    sized(&mut content, COUNT_DOWN);
    content
}

/// The content of a section of so many items, with another one.
fn with_one_more(content: &[u8], count: u32, item: &[u8]) -> Vec<u8> {
    // The number is the first bytes that have a successor, and one more.
    let digits = content.iter().take_while(|byte| **byte >= 0x80).count() + 1;
    let mut more = Vec::new();
    number(&mut more, count + 1);
    more.extend_from_slice(&content[digits..]);
    more.extend_from_slice(item);
    more
}

/// Appends bytes after their number.
fn sized(to: &mut Vec<u8>, bytes: &[u8]) {
    number(to, bytes.len() as u32);
    to.extend_from_slice(bytes);
}

/// Appends a number in LEB128.
fn number(to: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}
