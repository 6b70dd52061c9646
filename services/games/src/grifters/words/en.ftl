game = Grifters
    .description = Send out your people, alone on capers or as teams on jobs, to steal from the Coffers and from each other.
    .duration = about 30 minutes
    .difficulty = medium
    .cover = femme-fatale/1 mastermind/1 skim-the-tolls

# Titles of jobs are in quotation marks, people are not.
named = { $back ->
    [job] “{ $title }”
   *[other] { $title }
}

# --- Places ---

place-box = Box
    .from = from the box
    .to = to the box
    .at = in the box
place-coffers = Coffers
    .from = from the Coffers
    .to = in the Coffers
    .at = in the Coffers
place-deck = Deck
    .from = from the deck
    .to = into the deck
    .at = in the deck
place-discard = Discard pile
    .from = from the discard pile
    .to = to the discard pile
    .at = in the discard pile
place-jobs = { $value } jobs
    .from = from the { $value } stack
    .to = to the { $value } stack
    .at = of the { $value } stack
place-stash = Stash
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } stash
    .to = to { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } stash
    .at = in { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } stash
place-hand = Hand
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } hand
    .to = to { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } hand
    .at = in { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } hand
place-drawn-cards = Drawn cards
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } drawn cards
    .to = to { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } drawn cards
    .at = among { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } drawn cards
place-first-night = First night
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } first night
    .to = in { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } first night
    .at = in { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } first night
place-second-night = Second night
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } second night
    .to = in { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } second night
    .at = in { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } second night
place-third-night = Third night
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } third night
    .to = in { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } third night
    .at = in { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } third night
place-refresh-area = Refresh area
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } refresh area
    .to = to { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } refresh area
    .at = in { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } refresh area
place-completed-jobs = Completed jobs
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } completed jobs
    .to = to { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } completed jobs
    .at = among { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } completed jobs

# --- Coins, backs, marks ---

coin-isk-token = ISK
    .help = Money, in tokens of one million ISK.
    .amount = { $amount }M ISK
    .some = some ISK
back-specialist = Person
    .help = The back of ringleaders and specialists.
    .counted = { $count ->
        [one] a card
       *[other] { $count } cards
    }
back-job = Job
    .help = The back of jobs.
    .counted = { $count ->
        [one] a job
       *[other] { $count } jobs
    }
mark-deck-end = End by the deck
    .help = When an exhausted deck ends this match.
mark-second-job = Job as a second caper
    .help = Never set: no job can be completed after a Femme Fatale.
mark-acting = Under way
    .help = The card whose text, or the job whose reward, is being resolved.
mark-clause = Resolved parts
    .help = How many parts of that text have been resolved.
value-both-piles-empty = once deck and discard pile are empty
value-nothing-to-draw = once nothing is left to draw
value-deck-empty = once the deck is empty

# --- What moves: predicates ---

moved-hand-first-night = { $seat-is ->
    [you] play
   *[other] plays
} { $what }{ $count ->
    [one] {""}
   *[other] {" "}as a team
}
moved-drawn = { $seat-is ->
    [you] draw
   *[other] draws
} { $what }
moved-deck-drawn-cards = { $seat-is ->
    [you] draw
   *[other] draws
} { $what }
moved-drawn-cards-hand = { $seat-is ->
    [you] keep
   *[other] keeps
} { $what }
moved-jobs-completed-jobs = { $seat-is ->
    [you] complete
   *[other] completes
} { $what }
# Takes a card of the own hideout back.
moved-own = { $seat-is ->
    [you] take
   *[other] takes
} { $what } back { $from }
# What is left in exchange for another card or job.
moved-given = { $seat-is ->
    [you] give
   *[other] gives
} { $taker-to } { $what } in exchange
# One card is exchanged with an opponent; a night that moves on is everything in it.
moved-first-night-second-night = { $count ->
    [one] { $seat-is ->
        [you] give
       *[other] gives
    } { $taker-to } { $what } in exchange
   *[other] time advances
}
moved-second-night-third-night = time advances
moved-third-night-refresh-area = time advances
moved-refresh-area-hand = { $seat-is ->
    [you] get
   *[other] gets
} { $what } back
moved-deck-box = one specialist of each type is left out
moved-jobs-box = the jobs { $at } are left out
# The announcement says it.
moved-discard-deck = {""}
# Only a Fall Guy shows a card, to act as that person.
shown = { $seat-is ->
    [you] have the Fall Guy act as
   *[other] has the Fall Guy act as
} { $what }
paid-isk-token-box-coffers = { $what } fills the Coffers
paid-taken-from = { $seat-is ->
    [you] steal
   *[other] steals
} { $what } from { $giver-them }
paid-isk-token-stash-first-night = { $seat-is ->
    [you] put
   *[other] puts
} { $what } in the first night
# A token moves on with time, which is told.
paid-isk-token-first-night-second-night = {""}
paid-isk-token-second-night-third-night = {""}
paid-isk-token-third-night-coffers = { $what } from the third night returns to the Coffers

# --- Decisions, actions, announcements ---

decision-turn = perform a caper or complete a job
decision-second-caper = decide whether to perform a second caper
decision-rob = choose an opponent to steal from
decision-name-skill = name the skill that the Inside Man shows beside the Thug
decision-swap-jobs = decide whether to swap a completed job for one of an opponent’s
decision-choose = { $value-key ->
    [keep] choose which of the drawn cards to keep
    [team-up] choose a card to team up with the Thug
    [duplicate] choose a card in hand for the Fall Guy to duplicate
    [take-back] choose a card in the hideout to take back
    [abduct] choose an opponent’s card to abduct
   *[exchange] decide whether to exchange the Inside Man for an opponent’s card
}
verb-perform-caper = Perform a caper
    .help = Plays a card into the first night and resolves its text.
    .label = Play { $card }
verb-complete-job = Complete a job
    .help = Plays a team with exactly the skills of a job, for its reward.
    .label = Complete { $job } with { $team }
    .short = { $job }: { $team }
verb-keep = Keep a card
    .help = Keeps one of the drawn cards and discards the others.
    .label = Keep { $card }
verb-team-up = Team up
    .help = Plays a card beside the Thug, as a team of two.
    .label = Team up with { $card }
verb-duplicate = Duplicate a card
    .help = Resolves the text of another card in the hand, which stays there.
    .label = Duplicate { $card }
verb-take-back = Take a card back
    .help = Returns a card from the hideout to the hand.
    .label = Take { $card } back
verb-abduct = Abduct a card
    .help = Takes a card from an opponent’s hideout into the hand.
    .label = Abduct { $card }
verb-exchange = Exchange the Inside Man
    .help = Exchanges the Inside Man for a card in an opponent’s hideout, and resolves its text.
    .label = Exchange the Inside Man for { $card }
    .short = Exchange for { $card }
verb-rob = Steal from an opponent
    .help = Steals from an opponent’s stash.
    .label = Steal from { $seat-seat-them }
    .vain = { $seat-is ->
        [you] find nothing to steal
       *[other] finds nothing to steal
    }
verb-name-skill = Name a skill
    .help = Names the skill that the Inside Man shows beside the Thug.
    .label = Name { $skill }
verb-swap-jobs = Swap jobs
    .help = Swaps a completed job for one of an opponent’s.
    .label = Swap { $mine } for { $theirs }
    .short = { $mine } → { $theirs }
verb-decline = Decline
    .help = Does without the second caper, the swap or the exchange.
    .does = { $seat-is ->
        [you] decline
       *[other] declines
    }
verb-pass = Pass
    .help = Puts 1M ISK into the first night, because no card can be played.
    .label = Pass
# The card says it.
announcement-caper = {""}
    .title = Caper
announcement-job = {""}
    .title = Job
announcement-nothing-comes-of-it = nothing comes of it
announcement-time-advances = {""}
    .title = Time advances
announcement-targets =
    .does = { $seat-is ->
        [you] go
       *[other] goes
    } after lone cards of { $value }
announcement-new-deck = the discards make a new deck
announcement-cannot-play =
    .does = { $seat-is ->
        [you] have
       *[other] has
    } no card to play
announcement-coffers-empty = the Coffers are empty, and the game is over
announcement-jobs-completed = all jobs have been completed, and the game is over
announcement-deck-out = neither deck nor discards are left, and the game is over
# The scores say what a player has and the bonuses, as their parts.
announcement-stash-holds = {""}
    .title = stash
announcement-bonus = {""}
    .title = bonus for { $value } jobs
announcement-tie-on-jobs = { $seat-is ->
    [you] you are
   *[other] { $seat } is
} tied for the most money, with { $amount ->
    [one] { $amount } completed job
   *[other] { $amount } completed jobs
}
announcement-tie-on-people = { $seat-is ->
    [you] you are
   *[other] { $seat } is
} still tied, with { $amount ->
    [one] { $amount } card
   *[other] { $amount } cards
}
# A reward with a choice: the job is completed after it.
marked-acting = { $now-key ->
    [hack-credit-system] the job is “{ $now }”
    [clone-the-ledgers] the job is “{ $now }”
    [hijack-the-payroll] the job is “{ $now }”
    [empty-the-vault] the job is “{ $now }”
   *[other] {""}
}
score = { $seat } { $points }M ISK
score-of-parts = { $seat } { $points }M ISK ({ $parts })
score-part = { $title } { $sign }{ $points }M ISK
table-seat = { $seat-is ->
    [you] You
   *[other] { $seat }
}, seat { $number }{ $scored ->
    [yes] , { $points }M ISK
   *[no] {""}
}{ $resigned ->
    [yes] , resigned
   *[no] {""}
}

# --- Cards ---

facet-kind = Kind
facet-skill = Skill
facet-colour = Colour
facet-number = Number
facet-players = Players
facet-team = Team
value-ringleader = ringleader
value-specialist = specialist
value-job = job
value-any = any skill
value-brain = brain
value-speed = speed
value-brawn = brawn
value-blue = blue
value-green = green
value-red = red
value-yellow = yellow
value-purple = purple
piece-mastermind = the Mastermind
    .brief = Mastermind
    .text = Draw three cards. Keep one and discard the others.
piece-thief = the Thief
    .brief = Thief
    .text = Steal 2M ISK from the Coffers.
piece-pickpocket = the Pickpocket
    .brief = Pickpocket
    .text = Steal 2M ISK from one opponent.
piece-fall-guy = the Fall Guy
    .brief = Fall Guy
    .text = Show another card in your hand and resolve its text. It stays in your hand. It cannot be a Fall Guy or an Inside Man.
piece-recruiter = the Recruiter
    .brief = Recruiter
    .text = Draw two cards.
piece-forger = the Forger
    .brief = Forger
    .text = You may swap one of your completed jobs for one of an opponent’s.
piece-fixer = the Fixer
    .brief = Fixer
    .text = Take another card from your hideout back into your hand.
piece-analyst = the Analyst
    .brief = Analyst
    .text = Draw two cards, keep one and discard the other. Then steal 1M ISK from the Coffers.
piece-con-man = the Con Man
    .brief = Con Man
    .text = Steal 1M ISK from the Coffers for each different skill in your hideout, this card’s included.
piece-wheelman = the Wheelman
    .brief = Wheelman
    .text = Time advances once more in your hideout.
piece-femme-fatale = the Femme Fatale
    .brief = Femme Fatale
    .text = You may perform a second caper. Time advances in your hideout before you do.
piece-burglar = the Burglar
    .brief = Burglar
    .text = Steal 3M ISK from the Coffers.
piece-hacker = the Hacker
    .brief = Hacker
    .text = Steal 2M ISK from the Coffers, or 3M ISK if you have completed a job.
piece-middle-man = the Middle Man
    .brief = Middle Man
    .text = Steal 1M ISK from one opponent and 1M ISK from the Coffers.
piece-thug = the Thug
    .brief = Thug
    .text = Play another card beside this one; its text is ignored. Steal 1M ISK from each opponent for each card of that skill that is alone in a night of their hideout.
piece-enforcer = the Enforcer
    .brief = Enforcer
    .text = Steal 3M ISK from the richest opponent.
piece-extortionist = the Extortionist
    .brief = Extortionist
    .text = Steal 1M ISK from each opponent, or 2M ISK from an only opponent.
piece-kidnapper = the Kidnapper
    .brief = Kidnapper
    .text = Take a card that is alone in a night of an opponent’s hideout into your hand. It cannot be a ringleader.
piece-inside-man = the Inside Man
    .brief = Inside Man
    .text = You may exchange this card for a card in an opponent’s hideout and resolve that card’s text. It cannot be a ringleader or an Inside Man. In a team, this card shows any one skill.
piece-kidnap-weapon-experts = Kidnap Weapon Experts
    .exact = Kidnap Weapon Experts ({ $colour } { $number })
    .text = Team: { $team }. Reward: draw two cards.
piece-bribe-the-auditors = Bribe the Auditors
    .exact = Bribe the Auditors ({ $colour } { $number })
    .text = Team: { $team }. Reward: draw two cards.
piece-poach-the-labs = Poach the Labs
    .exact = Poach the Labs ({ $colour } { $number })
    .text = Team: { $team }. Reward: draw two cards, and steal 1M ISK from the Coffers.
piece-turn-the-board = Turn the Board
    .exact = Turn the Board ({ $colour } { $number })
    .text = Team: { $team }. Reward: draw three cards, and steal 2M ISK from the Coffers.
piece-skim-the-tolls = Skim the Tolls
    .exact = Skim the Tolls ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal 3M ISK from the Coffers.
piece-reroute-the-convoy = Reroute the Convoy
    .exact = Reroute the Convoy ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal 3M ISK from the Coffers.
piece-crack-the-exchange = Crack the Exchange
    .exact = Crack the Exchange ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal 4M ISK from the Coffers.
piece-drain-the-reserve = Drain the Reserve
    .exact = Drain the Reserve ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal 5M ISK from the Coffers.
piece-hold-up-the-depot = Hold Up the Depot
    .exact = Hold Up the Depot ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal 3M ISK from the Coffers.
piece-storm-the-checkpoint = Storm the Checkpoint
    .exact = Storm the Checkpoint ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal 3M ISK from the Coffers.
piece-raid-the-armoury = Raid the Armoury
    .exact = Raid the Armoury ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal 4M ISK from the Coffers.
piece-break-into-the-mint = Break into the Mint
    .exact = Break into the Mint ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal 5M ISK from the Coffers.
piece-hack-credit-system = Hack Credit System
    .exact = Hack Credit System ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal 2M ISK from one opponent.
piece-clone-the-ledgers = Clone the Ledgers
    .exact = Clone the Ledgers ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal 3M ISK from one opponent.
piece-hijack-the-payroll = Hijack the Payroll
    .exact = Hijack the Payroll ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal 5M ISK from one opponent.
piece-empty-the-vault = Empty the Vault
    .exact = Empty the Vault ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal 7M ISK from one opponent.
piece-sell-false-papers = Sell False Papers
    .exact = Sell False Papers ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal 1M ISK from each opponent.
piece-run-the-protection = Run the Protection
    .exact = Run the Protection ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal 1M ISK from each opponent, and draw a card.
piece-rig-the-tribunal = Rig the Tribunal
    .exact = Rig the Tribunal ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal 2M ISK from each opponent.
piece-own-the-precinct = Own the Precinct
    .exact = Own the Precinct ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal 3M ISK from each opponent.

# --- Options ---

option-first-seat = Who goes first
    .description = The player who goes first. At a table, it is whoever broke the law last, however slightly.
    .is-random = Chance decides
option-two-seat-deck = Deck for two players
    .description = Whether a match of two players has all specialists, as in the rulebook, or one of each type is left out.
    .is-all = All specialists
    .is-one-of-each-removed = One of each type left out

# --- Refusals ---

refusal-decide-first = you must first { $asked }
refusal-must-play = you may pass only when you have no card to play
refusal-not-in-hand = not in your hand: { $cards }
refusal-not-on-top = { $job } is not the next job of its colour
refusal-wrong-team = the team does not fit { $job }: it { $missing-count ->
    [0] has too much { $spare }
   *[other] { $spare-count ->
        [0] lacks { $missing }
       *[other] lacks { $missing }, and has too much { $spare }
    }
}
refusal-no-partner = { $card } needs another card of your hand beside it
refusal-not-duplicated = { $card } cannot be duplicated
refusal-not-exchanged = { $card } cannot be exchanged
refusal-loyal = { $card } is a ringleader, who never changes sides
refusal-not-a-choice = that is not one of the choices: { $choices }

# --- How to play ---

primer-1 = The goal
    .pieces = mastermind/1 thief/1 pickpocket/1 skim-the-tolls
    .rules = 1 10
    .text =
        Be the richest when the game ends. You send people out to steal from the Coffers and from each other, alone or as teams. Jobs
        that you complete are worth a bonus if their colours match.
primer-2 = Your turn
    .decisions = turn
    .rules = 3 6
    .text =
        First, time passes: your people in the hideout move on by one night, from the first to the second to the third and then to the
        refresh area.

        Then you do one thing: you perform a caper, or you complete a job. If you can, you must.

        Last, everybody in your refresh area returns to your hand. So whoever you send out is gone for three nights. A hand may be of
        any size.
primer-3 = Perform a caper
    .pieces = femme-fatale/1 thug/1 fall-guy/1 inside-man/1
    .decisions = second-caper rob name-skill choose swap-jobs
    .rules = 4 7 8
    .text =
        Play one person from your hand into the first night and do what the card says. What has several parts happens in their order,
        and what is impossible is left out. Most steal or draw; what some people need to know:

        - The Femme Fatale lets you play a second person: time passes in your hideout before that.
        - The Thug takes a partner from your hand along. The partner’s text does not count; for each lone card with the partner’s skill
          in an opponent’s hideout you steal 1M ISK from that opponent.
        - The Fall Guy does what another card in your hand says, and that card stays there. It must be neither an Inside Man nor a Fall
          Guy.
        - The Inside Man may trade places with a card in an opponent’s hideout, and then you do what that card says.
        - Ringleaders can be neither abducted nor exchanged.
primer-4 = Complete a job
    .pieces = skim-the-tolls hack-credit-system
    .rules = 5
    .text =
        Choose the top job of a colour and play a team from your hand into the first night that shows exactly its skills, none missing
        and none to spare. An Inside Man shows any one that you need. The texts of the team do not count: take the reward of the job
        instead, and lay it before you. The next one of its colour is then on top.

        Two or more cards in one night are a team: the Thug and the Kidnapper pass them by.
primer-5 = Nothing to play
    .rules = 3
    .text =
        With no card in hand you pass: 1M ISK of your stash, if you have it, goes into your first night in place of a card. After three
        nights it returns to the Coffers, not to you.
primer-6 = The end
    .rules = 9 10
    .text =
        The game ends at once when the Coffers are empty, or when deck and discard pile are both empty. It also ends after the play that
        completes the last job.

        Your score is your stash, and a bonus for each colour of which you completed several jobs: 2 for two jobs, 4 for three, 8 for
        all four. Of players with the same score, more jobs win, then fewer people in hand, hideout and refresh area.
