//! Reading: many callers, few queries.
//!
//! It is to reading what [`crate::append`] is to writing: what is asked while the database answers
//! is the next question. So there is no timer, a lone question goes at once, and the busier the
//! house, the more of them share a query.

use crate::Error;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::time::timeout;

/// Where questions of one kind are asked.
pub(crate) struct Gather<Question, Answer> {
    queue: mpsc::Sender<Asked<Question, Answer>>,
}

/// A question, and who asks it.
type Asked<Question, Answer> = (Question, oneshot::Sender<Result<Answer, Error>>);

/// Questions that wait; more are refused. It is about as much as is answered in a tenth of a
/// second.
const QUEUE_MAX: usize = 4096;
/// Questions in one query: enough that a query costs each of them little, and few enough that all
/// are answered soon.
const BATCH_MAX: usize = 64;
/// Queries at once, so that a large answer holds up few.
pub(crate) const LANES: usize = 3;
/// Longer than the database may work on a query: past it, the connection has fallen silent and is
/// given up.
const ANSWER_WAIT: Duration = Duration::from_secs(8);

impl<Question: Clone + Send + Sync + 'static, Answer: Send + 'static> Gather<Question, Answer> {
    /// `answer` takes questions and has an answer for each, in their order.
    pub fn new<Answering>(
        answer: impl Fn(Vec<Question>) -> Answering + Clone + Send + Sync + 'static,
    ) -> Self
    where
        Answering: Future<Output = Result<Vec<Answer>, Error>> + Send + 'static,
    {
        let (queue, asked) = mpsc::channel(QUEUE_MAX);
        let asked = Arc::new(Mutex::new(asked));
        for _ in 0..LANES {
            tokio::spawn(work(asked.clone(), answer.clone()));
        }
        Self { queue }
    }

    pub async fn ask(&self, question: Question) -> Result<Answer, Error> {
        let (answer, answered) = oneshot::channel();
        self.queue.try_send((question, answer)).map_err(|_| Error::Busy)?;
        answered.await.unwrap_or(Err(Error::Silent))
    }
}

/// Answers until nobody can ask any more.
async fn work<Question: Clone, Answer, Answering>(
    asked: Arc<Mutex<mpsc::Receiver<Asked<Question, Answer>>>>,
    answer: impl Fn(Vec<Question>) -> Answering,
) where
    Answering: Future<Output = Result<Vec<Answer>, Error>>,
{
    loop {
        let mut batch = Vec::new();
        if asked.lock().await.recv_many(&mut batch, BATCH_MAX).await == 0 {
            return;
        }
        // For whoever has gone meanwhile nothing is asked.
        batch.retain(|(_, asker)| !asker.is_closed());
        if batch.is_empty() {
            continue;
        }
        let (questions, askers): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
        let answering = persist(|| answer(questions.clone()));
        match timeout(ANSWER_WAIT, answering).await.unwrap_or(Err(Error::Silent)) {
            Ok(answers) => askers.into_iter().zip(answers).for_each(|(asker, answer)| {
                let _ = asker.send(Ok(answer));
            }),
            Err(error) => askers.into_iter().for_each(|asker| {
                let _ = asker.send(Err(error.clone()));
            }),
        }
    }
}

/// Tries again on another connection when one has died while it rested: the database may well be
/// there.
async fn persist<Answer, Answering>(answer: impl Fn() -> Answering) -> Result<Answer, Error>
where
    Answering: Future<Output = Result<Answer, Error>>,
{
    for _ in 0..LANES {
        match answer().await {
            Err(error) if error.is_of_connection() => {}
            done => return done,
        }
    }
    answer().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::future::join_all;
    use std::sync::Mutex as StdMutex;

    #[tokio::test]
    async fn what_is_asked_meanwhile_is_asked_together() {
        let sizes = Arc::<StdMutex<Vec<usize>>>::default();
        let seen = sizes.clone();
        let gather = Gather::new(move |asked: Vec<usize>| {
            seen.lock().unwrap().push(asked.len());
            async move {
                tokio::task::yield_now().await;
                Ok(asked.into_iter().map(|it| it * 2).collect())
            }
        });
        let answers = join_all((0..200).map(|it| gather.ask(it))).await;
        for (it, answer) in answers.into_iter().enumerate() {
            assert_eq!(answer.unwrap(), it * 2);
        }
        let sizes = sizes.lock().unwrap();
        assert_eq!(sizes.iter().sum::<usize>(), 200);
        assert!(sizes.len() < 10 && sizes.iter().all(|it| *it <= BATCH_MAX), "{sizes:?}");
    }

    #[tokio::test]
    async fn an_error_is_told_to_everyone_who_asked() {
        let gather = Gather::new(|_: Vec<()>| async { Err::<Vec<()>, _>(Error::Busy) });
        for answer in join_all((0..3).map(|_| gather.ask(()))).await {
            assert!(matches!(answer, Err(Error::Busy)));
        }
    }

    #[tokio::test]
    async fn a_connection_that_died_while_it_rested_is_no_answer() {
        let dead = Arc::new(StdMutex::new(LANES));
        let gather = Gather::new(move |asked: Vec<()>| {
            let dead = dead.clone();
            async move {
                let mut dead = dead.lock().unwrap();
                if *dead > 0 {
                    *dead -= 1;
                    let reset = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
                    return Err(sqlx::Error::Io(reset).into());
                }
                Ok(asked)
            }
        });
        assert!(gather.ask(()).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_database_that_fell_silent_is_given_up() {
        let gather = Gather::new(|_: Vec<()>| std::future::pending::<Result<Vec<()>, _>>());
        assert!(matches!(gather.ask(()).await, Err(Error::Silent)));
    }

    #[tokio::test]
    async fn more_than_may_wait_are_refused() {
        let gather = Gather::new(|_: Vec<()>| std::future::pending::<Result<Vec<()>, _>>());
        let asking = join_all(
            (0..QUEUE_MAX + 1)
                .map(|_| async { timeout(Duration::from_millis(50), gather.ask(())).await }),
        );
        let refused = asking.await.into_iter().filter(|it| matches!(it, Ok(Err(Error::Busy))));
        assert_eq!(refused.count(), 1);
    }
}
