//! The session of a host: what was kept, then a file in pieces, then the answer.

use std::cell::RefCell;
use std::collections::BTreeMap;

use device::Device;
use records::{Kept, Look, Report, Tally, Verification};

use crate::asked;

/// What the exported functions work on. A host has one verification at a time, and any matches.
#[derive(Default)]
pub struct Session {
    /// The buffers that the host fills, by address.
    buffers: RefCell<BTreeMap<usize, Vec<u8>>>,
    verification: RefCell<Option<Verification>>,
    device: RefCell<Device>,
    answer: RefCell<Vec<u8>>,
}

impl Session {
    /// The address of a buffer for so many bytes from the host.
    pub fn allocate(&self, length: usize) -> usize {
        let buffer = vec![0; length];
        let address = buffer.as_ptr() as usize;
        self.buffers.borrow_mut().insert(address, buffer);
        address
    }

    pub fn free(&self, address: usize) {
        let freed = self.buffers.borrow_mut().remove(&address);
        freed.expect("the host frees a buffer once");
    }

    /// Begins a verification with what was kept, JSON in a buffer. Returns the length of the
    /// answer, which says why that cannot be used; 0 if nothing is wrong with it.
    pub fn begin(&self, address: usize, length: usize) -> usize {
        match self.kept(address, length).and_then(|kept| Verification::new(&kept)) {
            Ok(verification) => {
                *self.verification.borrow_mut() = Some(verification);
                0
            }
            Err(reason) => self.tell(reason.into_bytes()),
        }
    }

    /// Takes the next piece of the file from a buffer. Returns the number of entries that were
    /// verified so far.
    pub fn take(&self, address: usize, length: usize) -> u64 {
        let mut verification = self.verification.borrow_mut();
        let verification = verification.as_mut().expect("the host begins, then gives pieces");
        verification.take(&self.buffers.borrow()[&address][..length]);
        verification.tally().entries
    }

    /// Ends the file. Returns the length of the answer.
    pub fn finish(&self) -> usize {
        let verification = self.verification.borrow_mut().take();
        let tally = verification.expect("the host begins, then ends").finish();
        self.report(&tally)
    }

    /// Compares the receipts that were kept with each other. Returns the length of the answer,
    /// which is negative if they cannot be compared.
    pub fn compare(&self, address: usize, length: usize) -> isize {
        match self.kept(address, length).and_then(|kept| kept.compare_receipts()) {
            Ok(tally) => self.report(&tally) as isize,
            Err(reason) => -(self.tell(reason.into_bytes()) as isize),
        }
    }

    /// Compares what a log tells now with what was kept of it. Returns the length of the answer,
    /// which is negative if what was kept cannot be used.
    pub fn look(&self, address: usize, length: usize) -> isize {
        let text = self.buffers.borrow()[&address][..length].to_vec();
        let look = serde_json::from_slice(&text).map_err(|error| error.to_string());
        match look.and_then(|look: Look| look.compare()) {
            Ok(looked) => {
                let answer = serde_json::to_vec(&looked).expect("a look has a JSON form");
                self.tell(answer) as isize
            }
            Err(reason) => -(self.tell(reason.into_bytes()) as isize),
        }
    }

    /// Answers a request about the matches of the device, in a buffer. Returns the length of the
    /// answer, from -1 downwards if it is a refusal: -1 for an empty one.
    pub fn ask(&self, address: usize, length: usize) -> isize {
        let request = self.buffers.borrow()[&address][..length].to_vec();
        match asked::answer(&mut self.device.borrow_mut(), &request) {
            Ok(answer) => self.tell(answer) as isize,
            Err(refusal) => -1 - (self.tell(refusal) as isize),
        }
    }

    /// The address of the last answer.
    pub fn answer(&self) -> usize {
        self.answer.borrow().as_ptr() as usize
    }

    fn kept(&self, address: usize, length: usize) -> Result<Kept, String> {
        let text = &self.buffers.borrow()[&address][..length];
        serde_json::from_slice(text).map_err(|error| error.to_string())
    }

    fn report(&self, tally: &Tally) -> usize {
        self.tell(serde_json::to_vec(&Report::from(tally)).expect("a tally has a JSON form"))
    }

    fn tell(&self, answer: Vec<u8>) -> usize {
        *self.answer.borrow_mut() = answer;
        self.answer.borrow().len()
    }
}
