//! Asks the person: on a terminal with menus and arrow keys, otherwise line by line.

use std::io::{self, BufRead, ErrorKind, IsTerminal};
use std::time::Duration;

use inquire::error::InquireError;
use inquire::list_option::ListOption;
use inquire::{Confirm, Select, Text};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tokio::sync::oneshot;

use crate::failure::Failure;
use crate::print;

/// The person's answer.
pub(crate) enum Answer {
    /// The index of an item of the list.
    Number(usize),
    Text(String),
    /// The person wants to choose again.
    Back,
    /// There is no more input.
    End,
    Interrupted,
}

#[derive(Clone, Copy)]
pub(crate) struct Person {
    is_at_terminal: bool,
}

/// How often the keyboard is polled while others decide.
const GLANCE: Duration = Duration::from_millis(100);

/// Lines of a menu that are shown at once.
const PAGE: usize = 15;

/// The columns that a menu needs besides its items.
const MARGIN: usize = 10;

impl Person {
    /// A person who is asked, with menus if there is a terminal that can show them.
    pub(crate) fn at_terminal(is_asked: bool) -> Person {
        let is_dumb = std::env::var("TERM").map_or(true, |term| term == "dumb");
        let is_terminal = io::stdin().is_terminal() && io::stderr().is_terminal() && !is_dumb;
        Person { is_at_terminal: is_asked && is_terminal }
    }

    pub(crate) fn is_at_terminal(&self) -> bool {
        self.is_at_terminal
    }

    /// Returns once the person has pressed the return key on a terminal.
    pub(crate) async fn types(&self) {
        while !(self.is_at_terminal && has_input()) {
            tokio::time::sleep(GLANCE).await;
        }
        drop(read_line());
    }

    /// Asks for one of the items, which are shown with numbers. `instead` describes what may be
    /// typed, without a terminal, instead of a number.
    pub(crate) async fn choose(
        &self,
        question: &str,
        items: Vec<String>,
        instead: &str,
    ) -> Result<Answer, Failure> {
        if self.is_at_terminal {
            return menu(question.to_owned(), items).await;
        }
        print::line(question)?;
        for (n, item) in items.iter().enumerate() {
            print::line(&print::wrap(&format!("{:>4}  ", n + 1), item))?;
        }
        if !instead.is_empty() {
            print::line(&print::wrap("      ", &format!("or: {instead}")))?;
        }
        loop {
            let Some(line) = in_thread(read_line).await? else { return Ok(Answer::End) };
            match line.parse::<usize>() {
                Ok(number) if (1..=items.len()).contains(&number) => {
                    return Ok(Answer::Number(number - 1));
                }
                Ok(_) => print::line(&format!("   !  write a number from 1 to {}", items.len()))?,
                Err(_) if line.is_empty() => {}
                Err(_) => return Ok(Answer::Text(line)),
            }
        }
    }

    /// Asks for a text; Escape goes back.
    pub(crate) async fn text(
        &self,
        question: &str,
        current: &str,
        help: &str,
    ) -> Result<Answer, Failure> {
        if !self.is_at_terminal {
            print::line(question)?;
            return Ok(in_thread(read_line).await?.map_or(Answer::End, Answer::Text));
        }
        let texts = [question, current, help].map(print::printable);
        in_thread(move || {
            let [question, current, help] = texts.each_ref().map(String::as_str);
            let text = Text::new(question).with_initial_value(current);
            let text = if help.is_empty() { text } else { text.with_help_message(help) };
            answer(text.prompt().map(Answer::Text))
        })
        .await
    }

    /// Asks for yes or no; everything except yes means no.
    pub(crate) async fn confirm(&self, question: &str) -> Result<bool, Failure> {
        let question = print::printable(question);
        if !self.is_at_terminal {
            print::line(&format!("{question} (yes or no)"))?;
            return Ok(in_thread(read_line).await?.is_some_and(|line| line == "yes"));
        }
        let asked = move || match Confirm::new(&question).with_default(false).prompt() {
            Ok(yes) => Ok(yes),
            Err(error) => answer(Err(error)).map(|_| false),
        };
        in_thread(asked).await
    }
}

async fn menu(question: String, items: Vec<String>) -> Result<Answer, Failure> {
    let columns = print::width().saturating_sub(MARGIN);
    let items: Vec<String> = items.iter().map(|item| print::printable(item)).collect();
    let show = |(n, item): (usize, &String)| format!("{:>3}  {}", n + 1, shortened(item, columns));
    let shown: Vec<String> = items.iter().enumerate().map(show).collect();
    in_thread(move || {
        let question = print::printable(&question);
        let select = Select::new(&question, shown).with_page_size(PAGE);
        let scorer = |typed: &str, _: &String, _: &str, at: usize| score(typed, &items[at], at);
        let formatter = |chosen: ListOption<&String>| shortened(&items[chosen.index], columns / 2);
        let select = select.with_scorer(&scorer).with_formatter(&formatter);
        let help = "arrows, a number, or a part of the text; return chooses; Esc goes back";
        answer(select.with_help_message(help).raw_prompt().map(|it| Answer::Number(it.index)))
    })
    .await
}

/// The score of an item for the typed text: the text is the item's number, or its words are all in
/// the item.
fn score(typed: &str, item: &str, at: usize) -> Option<i64> {
    let number = (at + 1).to_string();
    if typed == number {
        return Some(2);
    }
    let item = item.to_lowercase();
    let typed = typed.to_lowercase();
    let fits = typed.split_whitespace().all(|word| item.contains(word));
    (fits || number.starts_with(&typed)).then_some(1)
}

fn shortened(text: &str, columns: usize) -> String {
    let line = text.replace('\n', " ");
    if line.chars().count() <= columns {
        return line;
    }
    line.chars().take(columns.saturating_sub(1)).chain(['…']).collect()
}

fn answer(asked: Result<Answer, InquireError>) -> Result<Answer, Failure> {
    match asked {
        Ok(answer) => Ok(answer),
        Err(InquireError::OperationCanceled) => Ok(Answer::Back),
        Err(InquireError::OperationInterrupted) => Ok(Answer::Interrupted),
        Err(InquireError::IO(error)) if error.kind() == ErrorKind::Interrupted => {
            Ok(Answer::Interrupted)
        }
        Err(InquireError::IO(error)) => Err(Failure::Output(error)),
        Err(_) => Ok(Answer::End),
    }
}

/// A line of the input without its line ending; `None` at the end of the input.
fn read_line() -> Result<Option<String>, Failure> {
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line)?;
    Ok((read > 0).then(|| line.trim().to_owned()))
}

fn has_input() -> bool {
    let stdin = io::stdin();
    let mut polled = [PollFd::new(&stdin, PollFlags::IN)];
    poll(&mut polled, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
}

/// Waits for the person in a separate thread, so that the connection stays alive and the program
/// can end in the meantime. A runtime would wait for threads of its pool.
async fn in_thread<T: Send + 'static>(
    ask: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let (send, receive) = oneshot::channel();
    std::thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || drop(send.send(ask())))
        .map_err(Failure::Threads)?;
    receive.await.map_err(|_| Failure::Interrupted)?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_finds_items_by_number_and_by_words() {
        let items = ["Take the Ace of Suns", "Draw a card", "Take 1 coin"];
        let found = |typed: &str| -> Vec<Option<i64>> {
            items.iter().enumerate().map(|(at, item)| score(typed, item, at)).collect()
        };
        assert_eq!(found("2"), [None, Some(2), None]);
        assert_eq!(found("1"), [Some(2), None, Some(1)]);
        assert_eq!(found("suns TAKE"), [Some(1), None, None]);
        assert_eq!(found(""), [Some(1); 3]);
    }

    #[test]
    fn a_long_item_is_cut_to_a_line() {
        assert_eq!(shortened("a short one", 20), "a short one");
        assert_eq!(shortened("a line\nand another one", 10), "a line an…");
    }
}
