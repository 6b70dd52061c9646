//! The names of the players of a match, for a reader.

use std::borrow::Cow;

use table::{SEATS_MAX, Seat, Small};

use crate::words::{Args, Words};

/// A player in the forms that sentences need.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    /// As a subject: `Ada`, `you`.
    name: String,
    /// As an object: `Ada`, `you`, in German `dich`.
    them: String,
    /// As an indirect object: in German `dir`, in French `à Ada`.
    to: String,
    /// As a possessive: `Ada's`, `your`, in French `d’Ada`.
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
        let args = Args::new().text("name", &*name).text("is", is.key());
        let args = args.text("initial", initial(&name));
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

    pub fn them(&self) -> &str {
        &self.them
    }

    pub fn to(&self) -> &str {
        &self.to
    }

    pub fn is_reader(&self) -> bool {
        self.is_reader
    }

    pub fn is(&self) -> Is {
        if self.is_reader { Is::You } else { Is::Other }
    }
}

/// The first letter of a name, small and without its accent, as words before it depend on it in
/// some languages; empty if the name begins otherwise.
fn initial(name: &str) -> String {
    let first = name.chars().next().into_iter().flat_map(char::to_lowercase).next();
    let plain = match first.unwrap_or_default() {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'æ' => 'a',
        'è' | 'é' | 'ê' | 'ë' => 'e',
        'ì' | 'í' | 'î' | 'ï' => 'i',
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'œ' => 'o',
        'ù' | 'ú' | 'û' | 'ü' => 'u',
        it => it,
    };
    if plain.is_alphabetic() { plain.to_string() } else { String::new() }
}

/// The names of the five arguments for a person: `x`, `x-is`, `x-them`, `x-to` and `x-whose`.
pub(crate) struct Forms<'a>([Cow<'a, str>; 5]);

macro_rules! forms {
    ($name:literal) => {
        Forms([
            Cow::Borrowed($name),
            Cow::Borrowed(concat!($name, "-is")),
            Cow::Borrowed(concat!($name, "-them")),
            Cow::Borrowed(concat!($name, "-to")),
            Cow::Borrowed(concat!($name, "-whose")),
        ])
    };
}

// Those of almost all clauses, which would otherwise be built for each.
pub(crate) const SEAT: Forms<'static> = forms!("seat");
pub(crate) const OWNER: Forms<'static> = forms!("owner");
pub(crate) const OTHER: Forms<'static> = forms!("other");
pub(crate) const GIVER: Forms<'static> = forms!("giver");
pub(crate) const TAKER: Forms<'static> = forms!("taker");
pub(crate) const TO: Forms<'static> = forms!("to");
pub(crate) const NOW: Forms<'static> = forms!("now");

impl<'a> Forms<'a> {
    pub fn of(name: &str) -> Forms<'a> {
        let form = |form: &str| Cow::Owned(format!("{name}{form}"));
        Forms(["", "-is", "-them", "-to", "-whose"].map(form))
    }

    pub fn borrowed(&self) -> Forms<'_> {
        Forms(self.0.each_ref().map(|name| Cow::Borrowed(&**name)))
    }
}

impl<'a> Args<'a> {
    pub fn person(self, forms: Forms<'a>, person: &'a Person) -> Args<'a> {
        self.person_as(forms, person, person.is())
    }

    pub fn person_as(self, Forms(names): Forms<'a>, person: &'a Person, is: Is) -> Args<'a> {
        let [name, key, them, to, whose] = names;
        self.text(name, &*person.name)
            .text(key, is.key())
            .text(them, &*person.them)
            .text(to, &*person.to)
            .text(whose, &*person.whose)
    }
}
