//! The whole table: a heading, the panels at the largest scale at which they fit, and what is open.

use narration::{Narrator, Section, Sketch};
use table::{Table, waiting_for};

use crate::panel::{Panel, State};
use crate::scene::{Box, DEEP, FELT, GOLD, HEIGHT, Scene, Style, WHITE, WIDTH};
use crate::tokens::{Drawer, Part};

const HEAD: f32 = 76.0;
const FOOT: f32 = 54.0;
/// Around panels, and between them.
const GAP: f32 = 14.0;

/// The scales that are tried, the largest first.
const SCALES: [f32; 20] = [
    1.5, 1.42, 1.34, 1.27, 1.2, 1.13, 1.07, 1.01, 0.95, 0.9, 0.85, 0.8, 0.75, 0.71, 0.67, 0.63,
    0.58, 0.53, 0.48, 0.42,
];

/// How the panels lie: what is common above the seats or beside them.
#[derive(Clone, Copy)]
enum Plan {
    Above {
        columns: usize,
    },
    /// `common` is the part of the width.
    Beside {
        columns: usize,
        common: f32,
    },
}

/// Draws the table as its viewer sees it.
pub(crate) fn table(narrator: &Narrator, table: &Table) -> Scene {
    let sketch = narrator.sketch(table);
    let titles = narrator.titles();
    let (width, height) = (WIDTH as f32, HEIGHT as f32);
    let mut scene = Scene { title: titles.game(), ..Scene::default() };
    scene.rect(Box { x: 0.0, y: 0.0, width, height }, 0.0, FELT);
    scene.rect(Box { x: 0.0, y: 0.0, width, height: HEAD }, 0.0, DEEP);
    let baseline = HEAD / 2.0 + 12.0;
    let title = scene.text((24.0, baseline), Style::bold(38.0, WHITE), 620.0, &titles.game());
    let time = Style::regular(26.0, WHITE);
    let room = width - title - 24.0 * 3.0;
    let right = width - 24.0 - time.width(&sketch.time).min(room);
    scene.text((right, baseline - 2.0), time, room, &sketch.time);
    let open = sketch.open.last().filter(|_| table.ended()).or(sketch.open.first());
    if let Some(open) = open {
        let at = (24.0, height - FOOT / 2.0 + 8.0);
        scene.text(at, Style::bold(25.0, WHITE), width - 48.0, open);
    }
    let foot = if open.is_some() { FOOT } else { GAP };
    let area =
        Box { x: GAP, y: HEAD + GAP, width: width - 2.0 * GAP, height: height - HEAD - GAP - foot };
    let drawer = Drawer { layout: table.layout(), titles, scale: 1.0 };
    panels(drawer, &sketch, table, area).into_iter().for_each(|(part, x, y)| {
        scene.add(part.scene, area.x + x, area.y + y);
    });
    scene
}

fn state(section: &Section, table: &Table) -> State {
    let Some(seat) = section.seat else { return State::Common };
    match table.winners() {
        Some(winners) if winners.has(seat) => State::Won,
        _ if table.resigned().has(seat) => State::Resigned,
        None if waiting_for(table.prompts(), table.is_paused()).has(seat) => State::Asked,
        _ => State::Idle,
    }
}

/// The panels, and where they are within the area.
fn panels(drawer: Drawer, sketch: &Sketch, table: &Table, area: Box) -> Vec<(Part, f32, f32)> {
    let panel = |section| Panel { section, state: state(section, table) };
    let (common, seats): (Vec<Panel>, Vec<Panel>) =
        sketch.sections.iter().map(panel).partition(|it| it.state == State::Common);
    let common = common.into_iter().find(|it| !it.section.rows.is_empty());
    let plans = plans(seats.len(), common.is_some());
    let best = |scale: f32| {
        let drawer = Drawer { scale, ..drawer };
        let laid = plans.iter().map(|it| Laid::of(*it, drawer, common.as_ref(), &seats, area));
        laid.min_by(|a, b| a.height.total_cmp(&b.height)).expect("there is a plan")
    };
    // The larger the scale, the higher the panels, so the first one that fits is found by halving.
    let (mut fitting, mut from, mut to) = (None, 0, SCALES.len());
    while from < to {
        let middle = usize::midpoint(from, to);
        let laid = best(SCALES[middle]);
        if laid.height <= area.height {
            (fitting, to) = (Some(laid), middle);
        } else {
            from = middle + 1;
        }
    }
    if let Some(laid) = fitting {
        return laid.placed(area);
    }
    let scale = SCALES[SCALES.len() - 1];
    let plan = best(scale).plan;
    Laid::within(plan, Drawer { scale, ..drawer }, common.as_ref(), &seats, area).placed(area)
}

fn plans(seats: usize, has_common: bool) -> Vec<Plan> {
    let columns =
        (1..=seats.min(4)).filter(|it| seats.is_multiple_of(*it) || *it > 2 || seats == 1);
    let columns: Vec<usize> = columns.collect();
    let above = columns.iter().map(|&columns| Plan::Above { columns });
    let beside = columns.iter().filter(|it| has_common && **it <= 2).flat_map(|&columns| {
        [0.22, 0.3, 0.4, 0.5, 0.6, 0.7].map(|common| Plan::Beside { columns, common })
    });
    above.chain(beside).collect()
}

/// The contents of panels, and the rows of a plan.
struct Laid {
    plan: Plan,
    common: Option<(Part, f32)>,
    rows: Vec<Vec<(Part, f32, Option<State>)>>,
    height: f32,
}

impl Laid {
    fn of(plan: Plan, drawer: Drawer, common: Option<&Panel>, seats: &[Panel], area: Box) -> Laid {
        Laid::limited(plan, drawer, common, seats, area, [f32::INFINITY; 2])
    }

    /// Leaves out what does not fit.
    fn within(
        plan: Plan,
        drawer: Drawer,
        common: Option<&Panel>,
        seats: &[Panel],
        area: Box,
    ) -> Laid {
        let share = |height: f32, columns: usize| {
            let rows = seats.len().div_ceil(columns) as f32;
            (height - GAP * (rows - 1.0)) / rows
        };
        let limits = match plan {
            Plan::Above { columns } if common.is_some() => {
                let of_common = area.height * 0.5;
                [of_common, share(area.height - of_common - GAP, columns)]
            }
            Plan::Above { columns } | Plan::Beside { columns, .. } => {
                [area.height, share(area.height, columns)]
            }
        };
        Laid::limited(plan, drawer, common, seats, area, limits)
    }

    fn limited(
        plan: Plan,
        drawer: Drawer,
        common: Option<&Panel>,
        seats: &[Panel],
        area: Box,
        [of_common, of_seat]: [f32; 2],
    ) -> Laid {
        let (columns, common_width) = match plan {
            Plan::Above { columns } => (columns, area.width),
            Plan::Beside { columns, common } => (columns, area.width * common),
        };
        let seats_width = match plan {
            Plan::Above { .. } => area.width,
            Plan::Beside { .. } => area.width - common_width - GAP,
        };
        let width = (seats_width - GAP * (columns - 1) as f32) / columns as f32;
        let common = common.map(|it| (it.content(drawer, common_width, of_common), common_width));
        let content = |it: &Panel| (it.content(drawer, width, of_seat), width, Some(it.state));
        let rows: Vec<Vec<_>> =
            seats.chunks(columns).map(|row| row.iter().map(content).collect()).collect();
        let of_rows: f32 = rows.iter().map(|row| height_of(row) + GAP).sum::<f32>() - GAP;
        let above = common.as_ref().map_or(0.0, |(part, _)| part.height);
        let height = match plan {
            Plan::Above { .. } if above > 0.0 => above + GAP + of_rows,
            Plan::Above { .. } | Plan::Beside { .. } => above.max(of_rows),
        };
        Laid { plan, common, rows, height }
    }

    /// The panels at their places. What is left of the area's height is shared by the rows.
    fn placed(self, area: Box) -> Vec<(Part, f32, f32)> {
        let Laid { plan, common, rows, height } = self;
        let mut placed = Vec::new();
        let (mut y, mut left, mut lines) = (0.0, 0.0, rows.len() as f32);
        let mut spare = (area.height - height).max(0.0);
        if let Some((part, width)) = common {
            match plan {
                Plan::Above { .. } => {
                    lines += 1.0;
                    let height = part.height + spare / lines;
                    placed.push((part.on_panel((width, height), None), 0.0, 0.0));
                    y = height + GAP;
                }
                Plan::Beside { .. } => {
                    placed.push((part.on_panel((width, area.height), None), 0.0, 0.0));
                    left = width + GAP;
                }
            }
        }
        if let Plan::Beside { .. } = plan {
            let of_rows: f32 = rows.iter().map(|row| height_of(row) + GAP).sum();
            spare = (area.height - of_rows + GAP).max(0.0);
        }
        for row in rows {
            let (mut x, height) = (left, height_of(&row) + spare / lines);
            for (part, width, state) in row {
                let line = (state == Some(State::Asked) || state == Some(State::Won))
                    .then_some((GOLD, 5.0));
                placed.push((part.on_panel((width, height), line), x, y));
                x += width + GAP;
            }
            y += height + GAP;
        }
        placed
    }
}

fn height_of(row: &[(Part, f32, Option<State>)]) -> f32 {
    row.iter().fold(0.0, |most, (part, _, _)| most.max(part.height))
}
