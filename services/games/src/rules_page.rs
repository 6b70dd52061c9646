//! The rules page of a game as data: `docs/games/<game>.md`, which code and tests cite by
//! paragraph.

/// A rules page in Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RulesPage(pub &'static str);

/// A section of a rules page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub number: u32,
    pub title: &'static str,
    pub paragraphs: Vec<Paragraph>,
}

/// A numbered paragraph of a rules page, in Markdown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paragraph {
    /// Such as `4.2`.
    pub number: &'static str,
    pub text: String,
    /// The service's ruling where the rulebook is silent or ambiguous, with the reason; often
    /// empty.
    pub ruling: String,
}

const RULING: &str = "*Ruling:*";

impl RulesPage {
    /// The numbered sections, in order. The page has more: tables of the set-up and of origins.
    pub fn sections(self) -> Vec<Section> {
        let parts = self.0.split("\n## ").skip(1);
        parts.filter_map(Section::of).collect()
    }
}

impl Section {
    /// From the text after the marks of its heading; `None` if it has no number.
    fn of(part: &'static str) -> Option<Section> {
        let (heading, body) = part.split_once('\n')?;
        let (number, title) = heading.split_once(". ")?;
        let number = number.parse().ok()?;
        // A text before the first paragraph introduces the section.
        let lines = std::iter::once(0).chain(body.match_indices('\n').map(|(at, _)| at + 1));
        let starts: Vec<usize> = lines.filter(|&at| numbered(&body[at..]).is_some()).collect();
        let ends = starts.iter().skip(1).copied().chain([body.len()]);
        let parts = starts.iter().zip(ends).filter_map(|(&start, end)| numbered(&body[start..end]));
        let paragraphs = parts.map(|(number, text)| Paragraph::new(number, text)).collect();
        Some(Section { number, title, paragraphs })
    }

    /// Whether the section defines when a match ends.
    pub fn is_about_end(&self) -> bool {
        self.title.split(' ').any(|word| word.eq_ignore_ascii_case("end"))
    }
}

impl Paragraph {
    fn new(number: &'static str, body: &str) -> Paragraph {
        let (mut texts, mut rulings) = (Vec::new(), Vec::new());
        for block in body.trim().split("\n\n") {
            let (text, ruling) = block.split_once(RULING).unwrap_or((block, ""));
            texts.push(text.trim());
            rulings.push(ruling.trim());
        }
        Paragraph { number, text: joined(&texts), ruling: joined(&rulings) }
    }
}

/// The number and the text of a paragraph such as `**4.2** …`; `None` if the text begins
/// differently.
fn numbered(text: &'static str) -> Option<(&'static str, &'static str)> {
    let (number, rest) = text.strip_prefix("**")?.split_once("**")?;
    let (section, paragraph) = number.split_once('.')?;
    let is_number = [section, paragraph].iter().all(|it| it.parse::<u16>().is_ok());
    is_number.then_some((number, rest))
}

fn joined(blocks: &[&str]) -> String {
    let blocks: Vec<&str> = blocks.iter().copied().filter(|block| !block.is_empty()).collect();
    blocks.join("\n\n")
}
