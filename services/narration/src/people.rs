//! The names of the players of a match, for a reader.

use table::{SEATS_MAX, Seat, Small};

use crate::words::{Args, Words};

/// A player in the forms that sentences need.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    /// As a subject: `Ada`, `you`.
    name: String,
    /// As an object: `Ada`, `you`, in German `dich`.
    them: String,
    /// As an indirect object: in German `dir`.
    to: String,
    /// As a possessive: `Ada's`, `your`.
    whose: String,
    is_reader: bool,
}

pub(crate) struct People {
    /// By seat, for the reader.
    people: Vec<Person>,
    /// By seat, in the third person.
    others: Vec<Person>,
    seats: usize,
}

/// How a sentence names the owner of a place, relative to its subject.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Is {
    You,
    /// The subject of the sentence, who is not the reader.
    Itself,
    Other,
}

impl Is {
    pub fn key(self) -> &'static str {
        match self {
            Is::You => "you",
            Is::Itself => "self",
            Is::Other => "other",
        }
    }
}

impl People {
    pub fn new(words: &Words, names: &[Option<&str>], reader: Option<Seat>) -> People {
        let name = |seat: Seat| match names.get(seat.index()).copied().flatten() {
            Some(name) => name.to_owned(),
            None => words.seat(seat),
        };
        let others: Vec<Person> =
            Seat::all().map(|seat| Person::new(words, name(seat), Is::Other)).collect();
        let mut people = others.clone();
        if let Some(reader) = reader {
            people[reader.index()] = Person::new(words, name(reader), Is::You);
        }
        People { people, others, seats: names.len().min(SEATS_MAX) }
    }

    pub fn person(&self, seat: Seat) -> &Person {
        &self.people[seat.index()]
    }

    /// In the third person, even if it is the reader.
    pub fn third(&self, seat: Seat) -> &Person {
        &self.others[seat.index()]
    }

    pub fn has_reader(&self) -> bool {
        self.people.iter().any(Person::is_reader)
    }

    pub fn seats(&self) -> impl Iterator<Item = Seat> + Clone {
        Seat::all().take(self.seats)
    }
}

impl Person {
    pub fn new(words: &Words, name: String, is: Is) -> Person {
        let args = Args::new().text("name", name.clone()).text("is", is.key());
        let form = |form| words.attribute("person", form, &args).unwrap_or_else(|| name.clone());
        Person {
            them: form("them"),
            to: form("to"),
            whose: form("whose"),
            name: words.say("person", &args),
            is_reader: is == Is::You,
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn is_reader(&self) -> bool {
        self.is_reader
    }

    pub fn is(&self) -> Is {
        if self.is_reader { Is::You } else { Is::Other }
    }
}

impl Args {
    /// A player, as the arguments `x`, `x-is`, `x-them`, `x-to` and `x-whose`.
    pub fn person(self, name: &str, person: &Person) -> Args {
        self.person_as(name, person, person.is())
    }

    pub fn person_as(self, name: &str, person: &Person, is: Is) -> Args {
        self.text(name.to_owned(), person.name.clone())
            .text(format!("{name}-is"), is.key())
            .text(format!("{name}-them"), person.them.clone())
            .text(format!("{name}-to"), person.to.clone())
            .text(format!("{name}-whose"), person.whose.clone())
    }
}
