//! The module of Python, `croupier_gym._native`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;

use narration::Language;
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1,
    ndarray::Array2,
};
use pyo3::import_exception;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use table::{Seat, Small};
use time::OffsetDateTime;

use crate::decisions::{Decided, Decisions as Reading};
use crate::error::Fault;
use crate::many::{AnyMany, Rows, many};
use crate::planes::{self, Planes};
use crate::played::Secret;
use crate::recording::{Said, record};
use crate::reward::Reward;
use crate::single::{AnyMatch, Limits, Setting, single};

import_exception!(croupier_gym.errors, GymError);
import_exception!(croupier_gym.errors, UnknownGame);
import_exception!(croupier_gym.errors, BadOptions);
import_exception!(croupier_gym.errors, MatchEnded);
import_exception!(croupier_gym.errors, NoSuchSeat);
import_exception!(croupier_gym.errors, IllegalAction);
import_exception!(croupier_gym.errors, BadShape);
import_exception!(croupier_gym.errors, NoRecord);
import_exception!(croupier_gym.errors, BadRecord);

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> PyErr {
        let text = fault.to_string();
        let mut kind = fault;
        while let Fault::OfVector { fault, .. } = kind {
            kind = *fault;
        }
        match kind {
            Fault::UnknownGame { .. } => UnknownGame::new_err(text),
            Fault::BadOptions(_) => BadOptions::new_err(text),
            Fault::Ended => MatchEnded::new_err(text),
            Fault::NoSuchSeat { .. } => NoSuchSeat::new_err(text),
            Fault::IllegalAction { .. } => IllegalAction::new_err(text),
            Fault::BadShape(_) => BadShape::new_err(text),
            Fault::NoRecord(_) => NoRecord::new_err(text),
            Fault::BadRecord(_) => BadRecord::new_err(text),
            Fault::Refused(_) | Fault::OfVector { .. } => GymError::new_err(text),
        }
    }
}

fn reward_named(name: &str) -> Result<Reward, Fault> {
    let unknown = || {
        let known = Reward::NAMES;
        Fault::BadOptions(format!("there is no reward {name:?}; there are {known}"))
    };
    Reward::named(name).ok_or_else(unknown)
}

/// A named part of an observation, or of the features of an action.
#[pyclass(module = "croupier_gym", frozen, get_all, skip_from_py_object)]
#[derive(Clone)]
struct Plane {
    name: &'static str,
    kind: &'static str,
    offset: usize,
    labels: Vec<String>,
    values: Vec<String>,
}

#[pymethods]
impl Plane {
    #[getter]
    fn size(&self) -> usize {
        self.labels.len()
    }

    fn __repr__(&self) -> String {
        let Plane { name, kind, offset, labels, .. } = self;
        format!("Plane({name:?}, {kind:?}, offset={offset}, size={})", labels.len())
    }
}

fn planes_of(planes: &Planes) -> Vec<Plane> {
    let plane = |it: &planes::Plane| {
        let planes::Plane { name, kind, offset, labels, values } = it.clone();
        Plane { name, kind: kind.name(), offset, labels, values }
    };
    planes.rows.iter().map(plane).collect()
}

/// The games: for each its name, its least and most seats, and its options with their values, the
/// default first.
#[pyfunction]
#[pyo3(name = "games")]
#[expect(clippy::type_complexity, reason = "it is read once, by the package")]
fn list_games() -> Vec<(String, u8, u8, BTreeMap<String, Vec<String>>)> {
    let option = |it: &&'static table::OptionSpec| {
        let others = it.values.iter().filter(|value| **value != it.default);
        let values = std::iter::once(&it.default).chain(others).map(|it| (*it).to_owned());
        (it.name.to_owned(), values.collect())
    };
    let game = |it: &&'static dyn games::Game| {
        let seats = it.seats();
        let options = it.options().iter().map(option).collect();
        (it.name().to_owned(), *seats.start(), *seats.end(), options)
    };
    games::GAMES.iter().map(game).collect()
}

/// The facets of the pieces of a game: for each piece its name, and for each facet its name, and a
/// number or a list of values.
#[pyfunction]
#[pyo3(name = "pieces")]
#[expect(clippy::type_complexity, reason = "it is read once, by the package")]
fn list_pieces(
    game: &str,
) -> PyResult<Vec<(String, BTreeMap<String, (Option<i32>, Vec<String>)>)>> {
    let game = crate::single::find(game)?;
    let facet = |it: &table::Facet| match &it.value {
        table::FacetValue::Number(number) => (it.name.to_owned(), (Some(*number), Vec::new())),
        table::FacetValue::Values(values) => (it.name.to_owned(), (None, values.clone())),
    };
    let piece = |row: &table::PieceRow| (row.name.clone(), row.facets.iter().map(facet).collect());
    Ok(game.layout().pieces().iter().map(piece).collect())
}

/// The longest list of legal actions that is offered unless the caller says another.
const ACTIONS_MAX: usize = 1024;

/// After so many actions a match is given up unless the caller says otherwise. Random matches of
/// every game end before.
const STEPS_MAX: u32 = 100_000;

/// Without a number of seats, as few as the game takes.
fn setting(
    game: &str,
    seats: Option<i64>,
    options: Option<BTreeMap<String, String>>,
    limits: Limits,
) -> Result<Setting, Fault> {
    let found = crate::single::find(game)?;
    let (least, most) = found.seats().into_inner();
    let seats = u8::try_from(seats.unwrap_or(least.into())).map_err(|_| {
        let seats = seats.unwrap_or_default();
        Fault::BadOptions(format!("the game takes {least} to {most} seats, not {seats}"))
    })?;
    Setting::new(game, seats, options.unwrap_or_default(), limits)
}

/// A match in process.
#[pyclass(module = "croupier_gym", name = "Match")]
struct Match(Box<dyn AnyMatch>);

impl Match {
    fn seat(&self, seat: Option<i64>) -> Result<Seat, Fault> {
        let Some(seat) = seat else { return self.0.asked().ok_or(Fault::Ended) };
        let seats = self.0.setting().terms.seats;
        let found = usize::try_from(seat).ok().filter(|it| *it < seats.into()).and_then(Seat::nth);
        found.ok_or(Fault::NoSuchSeat { seat, seats })
    }

    fn cells(&self) -> usize {
        self.0.setting().encoder.planes.cells
    }
}

#[pymethods]
impl Match {
    #[new]
    #[pyo3(signature = (game, seats = None, seed = 0, options = None, *, asks_optional = true,
        actions_max = ACTIONS_MAX, steps_max = STEPS_MAX))]
    fn new(
        game: &str,
        seats: Option<i64>,
        seed: u64,
        options: Option<BTreeMap<String, String>>,
        asks_optional: bool,
        actions_max: usize,
        steps_max: u32,
    ) -> PyResult<Match> {
        let limits = Limits { asks_optional, actions_max, steps_max };
        let setting = setting(game, seats, options, limits)?;
        Ok(Match(single(setting, Secret::of(seed, 0, 0))))
    }

    #[getter]
    fn game(&self) -> &'static str {
        self.0.setting().encoder.game.name()
    }
    #[getter]
    fn seats(&self) -> u8 {
        self.0.setting().terms.seats
    }
    #[getter]
    fn actions_max(&self) -> usize {
        self.0.setting().terms.actions_max
    }
    #[getter]
    fn version(&self) -> &str {
        &self.0.setting().encoder.version
    }
    #[getter]
    fn planes(&self) -> Vec<Plane> {
        planes_of(&self.0.setting().encoder.planes)
    }
    #[getter]
    fn feature_planes(&self) -> Vec<Plane> {
        planes_of(&self.0.setting().features.planes)
    }
    #[getter]
    fn observation_size(&self) -> usize {
        self.cells()
    }
    #[getter]
    fn feature_size(&self) -> usize {
        self.0.setting().features.planes.cells
    }

    #[getter]
    fn asked(&self) -> Option<u8> {
        self.0.asked().map(u8::from)
    }
    #[getter]
    fn may_wait(&self) -> bool {
        self.0.may_wait()
    }
    #[getter]
    fn legal_count(&self) -> usize {
        self.0.count()
    }
    #[getter]
    fn steps(&self) -> u32 {
        self.0.steps()
    }
    #[getter]
    fn ended(&self) -> bool {
        self.0.table().ended()
    }
    #[getter]
    fn truncated(&self) -> bool {
        self.0.is_truncated()
    }
    #[getter]
    fn scores(&self) -> Vec<i32> {
        self.0.table().scores().to_vec()
    }
    #[getter]
    fn winners(&self) -> Option<Vec<u8>> {
        self.0.table().winners().map(|it| it.iter().map(u8::from).collect())
    }
    #[getter]
    fn resigned(&self) -> Vec<u8> {
        self.0.table().resigned().iter().map(u8::from).collect()
    }

    #[pyo3(signature = (seed, episode = 0))]
    fn reset(&mut self, seed: u64, episode: u64) {
        self.0.reset(Secret::of(seed, 0, episode));
    }

    fn step(&mut self, index: i64) -> PyResult<usize> {
        self.0.step(index)?;
        Ok(self.0.count())
    }

    fn together(&mut self) -> Vec<(u8, usize, bool)> {
        let all = self.0.together();
        all.into_iter().map(|it| (it.seat.into(), it.count, it.may_wait)).collect()
    }

    fn step_together(&mut self, chosen: Vec<(i64, i64)>) -> PyResult<BTreeMap<u8, String>> {
        let known = chosen.into_iter().map(|(seat, index)| Ok((self.seat(Some(seat))?, index)));
        let known = known.collect::<Result<Vec<_>, Fault>>()?;
        let all = self.0.step_together(&known)?;
        Ok(all.into_iter().filter_map(|it| Some((it.seat.into(), it.refused?))).collect())
    }

    #[pyo3(signature = (reward = "win"))]
    fn rewards<'py>(&self, py: Python<'py>, reward: &str) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let mut out = vec![0.0; self.seats().into()];
        self.0.rewards(reward_named(reward)?, &mut out);
        Ok(out.into_pyarray(py))
    }

    #[pyo3(signature = (seat = None))]
    fn observe<'py>(
        &mut self,
        py: Python<'py>,
        seat: Option<i64>,
    ) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let seat = self.seat(seat)?;
        let mut out = vec![0; self.cells()];
        self.0.observe(seat, &mut out);
        Ok(out.into_pyarray(py))
    }

    #[pyo3(signature = (out, seat = None))]
    fn observe_into(
        &mut self,
        mut out: PyReadwriteArray1<'_, i32>,
        seat: Option<i64>,
    ) -> PyResult<()> {
        let (seat, cells) = (self.seat(seat)?, self.cells());
        let slice = out.as_slice_mut().ok().filter(|it| it.len() == cells);
        let wrong = || Fault::BadShape(format!("it takes {cells} numbers in a row"));
        self.0.observe(seat, slice.ok_or_else(wrong)?);
        Ok(())
    }

    fn state<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        let mut out = vec![0; self.cells()];
        self.0.state(&mut out);
        out.into_pyarray(py)
    }

    #[pyo3(signature = (seat = None))]
    fn count_of(&mut self, seat: Option<i64>) -> PyResult<usize> {
        let seat = self.seat(seat)?;
        Ok(self.0.count_of(seat))
    }

    #[pyo3(signature = (seat = None))]
    fn features<'py>(
        &mut self,
        py: Python<'py>,
        seat: Option<i64>,
    ) -> PyResult<Bound<'py, PyArray2<i16>>> {
        let seat = self.seat(seat)?;
        let rows = self.0.features(seat);
        let width = self.feature_size();
        let rows = Array2::from_shape_vec((rows.len() / width, width), rows);
        Ok(rows.expect("rows have the width of features").into_pyarray(py))
    }

    #[pyo3(signature = (seat = None))]
    fn actions<'py>(
        &mut self,
        py: Python<'py>,
        seat: Option<i64>,
    ) -> PyResult<Vec<(&'static str, Bound<'py, PyBytes>)>> {
        let seat = self.seat(seat)?;
        let actions = self.0.actions(seat).into_iter();
        Ok(actions.map(|it| (it.verb, PyBytes::new(py, &it.action))).collect())
    }

    #[pyo3(signature = (seat = None, language = "en", names = None))]
    fn text(
        &mut self,
        seat: Option<i64>,
        language: &str,
        names: Option<Vec<String>>,
    ) -> PyResult<String> {
        let named = || (0..self.seats()).map(|it| format!("player_{it}")).collect();
        let names = names.unwrap_or_else(named);
        let seat = seat.map(|it| self.seat(Some(it))).transpose()?;
        let language = Language::of(language);
        let language = language.map_err(|it| Fault::BadOptions(it.to_string()))?;
        let (given, seats) = (names.len(), self.seats());
        if given != usize::from(seats) {
            let reason = format!("{given} names are given for {seats} seats");
            return Err(Fault::BadOptions(reason).into());
        }
        Ok(self.0.text(seat, language, &names))
    }

    fn clone(&self) -> Match {
        Match(self.0.copy())
    }

    fn restore(&mut self, from: &Bound<'_, Match>) -> PyResult<()> {
        let from =
            from.try_borrow().map_err(|_| Fault::BadShape("it is the match itself".into()))?;
        let (own, other) = (self.0.setting(), from.0.setting());
        if own.encoder.version != other.encoder.version {
            let reason = "it is a match of another game, or of another number of seats";
            return Err(Fault::BadShape(reason.to_owned()).into());
        }
        self.0 = from.0.copy();
        Ok(())
    }

    fn imagine(&self, seat: i64, seed: u64) -> PyResult<Match> {
        Ok(Match(self.0.imagine(self.seat(Some(seat))?, seed)?))
    }

    #[pyo3(signature = (players = None, *, platform = "research", create_time = None,
        header = true))]
    fn record(
        &self,
        py: Python<'_>,
        players: Option<Vec<String>>,
        platform: &str,
        create_time: Option<f64>,
        header: bool,
    ) -> PyResult<String> {
        let seconds = match create_time {
            Some(seconds) => seconds,
            None => py.import("time")?.call_method0("time")?.extract()?,
        };
        let micros = (seconds * 1e6) as i128;
        let time = OffsetDateTime::from_unix_timestamp_nanos(micros * 1000);
        let create_time = time.map_err(|it| Fault::NoRecord(it.to_string()))?;
        let (players, platform) = (players.unwrap_or_default(), platform.to_owned());
        Ok(record(&*self.0, &Said { players, platform, create_time, header })?)
    }
}

/// Many matches, whose arrays are overwritten with each step.
#[pyclass(module = "croupier_gym", name = "Vector")]
struct Vector {
    matches: Box<dyn AnyMany>,
    count: usize,
    #[pyo3(get)]
    observations: Py<PyArray2<i32>>,
    #[pyo3(get)]
    masks: Py<PyArray2<i8>>,
    #[pyo3(get)]
    counts: Py<PyArray1<i32>>,
    #[pyo3(get)]
    asked: Py<PyArray1<i8>>,
    #[pyo3(get)]
    rewards: Py<PyArray2<f32>>,
    #[pyo3(get)]
    terminations: Py<PyArray1<bool>>,
    #[pyo3(get)]
    truncations: Py<PyArray1<bool>>,
    #[pyo3(get)]
    features: Option<Py<PyArray3<i16>>>,
}

#[pymethods]
impl Vector {
    #[new]
    #[pyo3(signature = (game, count, seats = None, options = None, *, reward = "win",
        asks_optional = true, actions_max = ACTIONS_MAX, steps_max = STEPS_MAX, features = false, threads = 1))]
    #[expect(clippy::too_many_arguments, reason = "Python gives them by name")]
    fn new(
        py: Python<'_>,
        game: &str,
        count: usize,
        seats: Option<i64>,
        options: Option<BTreeMap<String, String>>,
        reward: &str,
        asks_optional: bool,
        actions_max: usize,
        steps_max: u32,
        features: bool,
        threads: usize,
    ) -> PyResult<Vector> {
        if count == 0 || threads == 0 {
            let reason = "a vector has at least one match and one thread";
            return Err(Fault::BadOptions(reason.to_owned()).into());
        }
        let limits = Limits { asks_optional, actions_max, steps_max };
        let setting = setting(game, seats, options, limits)?;
        let seats = usize::from(setting.terms.seats);
        let (cells, width) = (setting.encoder.planes.cells, setting.features.planes.cells);
        let matches = many(setting, reward_named(reward)?, count, threads);
        let rows = |_| PyArray3::zeros(py, (count, actions_max, width), false).unbind();
        Ok(Vector {
            matches,
            count,
            observations: PyArray2::zeros(py, (count, cells), false).unbind(),
            masks: PyArray2::zeros(py, (count, actions_max), false).unbind(),
            counts: PyArray1::zeros(py, count, false).unbind(),
            asked: PyArray1::zeros(py, count, false).unbind(),
            rewards: PyArray2::zeros(py, (count, seats), false).unbind(),
            terminations: PyArray1::zeros(py, count, false).unbind(),
            truncations: PyArray1::zeros(py, count, false).unbind(),
            features: features.then_some(()).map(rows),
        })
    }

    fn reset(&mut self, py: Python<'_>, seed: u64) -> PyResult<()> {
        self.with_rows(py, |matches, mut rows| {
            matches.begin(seed, &mut rows);
            Ok(())
        })
    }

    fn step(&mut self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let actions = actions.as_slice().ok().filter(|it| it.len() == self.count);
        let wrong = || Fault::BadShape(format!("it takes {} actions in a row", self.count));
        let actions = actions.ok_or_else(wrong)?;
        self.with_rows(py, |matches, mut rows| matches.step(actions, &mut rows))
    }
}

impl Vector {
    /// Lends the arrays to the matches, while other threads of Python go on.
    fn with_rows(
        &mut self,
        py: Python<'_>,
        run: impl FnOnce(&mut dyn AnyMany, Rows<'_>) -> Result<(), Fault> + Send,
    ) -> PyResult<()> {
        let in_use = || Fault::BadShape("an array of the vector is in use elsewhere".to_owned());
        macro_rules! lend {
            ($array:expr) => {
                $array.bind(py).try_readwrite().map_err(|_| in_use())?
            };
        }
        let mut observations = lend!(self.observations);
        let mut masks = lend!(self.masks);
        let mut counts = lend!(self.counts);
        let mut asked = lend!(self.asked);
        let mut rewards = lend!(self.rewards);
        let mut terminations = lend!(self.terminations);
        let mut truncations = lend!(self.truncations);
        let mut features = match &self.features {
            Some(features) => Some(lend!(features)),
            None => None,
        };
        let whole = |_| in_use();
        let rows = Rows {
            observations: observations.as_slice_mut().map_err(whole)?,
            masks: masks.as_slice_mut().map_err(whole)?,
            counts: counts.as_slice_mut().map_err(whole)?,
            seats: asked.as_slice_mut().map_err(whole)?,
            rewards: rewards.as_slice_mut().map_err(whole)?,
            terminations: terminations.as_slice_mut().map_err(whole)?,
            truncations: truncations.as_slice_mut().map_err(whole)?,
            features: match &mut features {
                Some(features) => Some(features.as_slice_mut().map_err(whole)?),
                None => None,
            },
        };
        let matches = &mut *self.matches;
        py.detach(|| run(matches, rows))?;
        Ok(())
    }
}

/// The decisions of a file of records, match by match.
#[pyclass(module = "croupier_gym", name = "Decisions")]
struct Decisions(Reading<BufReader<File>>);

#[pymethods]
impl Decisions {
    #[new]
    #[pyo3(signature = (path, *, reward = "win", features = false))]
    fn new(path: std::path::PathBuf, reward: &str, features: bool) -> PyResult<Decisions> {
        let file = File::open(path)?;
        Ok(Decisions(Reading::new(BufReader::new(file), reward_named(reward)?, features)?))
    }

    /// A dictionary of columns; `None` at the end of the file.
    fn next<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let reading = &mut self.0;
        py.detach(|| reading.next())?.map(|it| columns(py, it)).transpose()
    }
}

fn columns(py: Python<'_>, decided: Decided) -> PyResult<Bound<'_, PyDict>> {
    let Decided { name, setting, positions, seats, observations, counts, choices, .. } = decided;
    let encoder = &setting.encoder;
    let (cells, width) = (encoder.planes.cells, setting.features.planes.cells);
    let dict = PyDict::new(py);
    dict.set_item("match", name)?;
    dict.set_item("game", encoder.game.name())?;
    dict.set_item("seats", setting.terms.seats)?;
    dict.set_item("version", &encoder.version)?;
    let observations = Array2::from_shape_vec((positions.len(), cells), observations);
    let observations = observations.expect("a row has the width of observations");
    dict.set_item("position", positions.into_pyarray(py))?;
    dict.set_item("seat", seats.into_pyarray(py))?;
    dict.set_item("observation", observations.into_pyarray(py))?;
    dict.set_item("legal_count", counts.into_pyarray(py))?;
    dict.set_item("choice", choices.into_pyarray(py))?;
    dict.set_item("verb", decided.verbs)?;
    let actions = decided.actions.iter().map(|it| PyBytes::new(py, it));
    dict.set_item("action", actions.collect::<Vec<_>>())?;
    let features =
        Array2::from_shape_vec((decided.features.len() / width, width), decided.features);
    let features = features.expect("a row has the width of features");
    dict.set_item("features", features.into_pyarray(py))?;
    dict.set_item("elapsed_ms", decided.elapsed_ms.into_pyarray(py))?;
    dict.set_item("clock_ms", decided.clock_ms.into_pyarray(py))?;
    dict.set_item("reward", decided.rewards.into_pyarray(py))?;
    dict.set_item("score", decided.scores.into_pyarray(py))?;
    Ok(dict)
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Match>()?;
    module.add_class::<Vector>()?;
    module.add_class::<Decisions>()?;
    module.add_function(wrap_pyfunction!(list_games, module)?)?;
    module.add_function(wrap_pyfunction!(list_pieces, module)?)?;
    module.add_class::<Plane>()?;
    Ok(())
}
