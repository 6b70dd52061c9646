game = You Dirty Rat
    .description = Send out your criminals, alone or as teams on heists, to steal from the town and from the other crime lords.
    .duration = about 30 minutes
    .difficulty = medium
    .cover = pickpocket/1 hacker/1 museum-emptied

# Titles of heists are in quotation marks, people are not.
named = { $back ->
    [heist] “{ $title }”
   *[other] { $title }
}

# --- Places ---

place-box = Box
    .from = from the box
    .to = to the box
    .at = in the box
place-town-stash = Town Stash
    .from = from the Town Stash
    .to = in the Town Stash
    .at = in the Town Stash
place-deck = Deck
    .from = from the deck
    .to = into the deck
    .at = in the deck
place-discard = Discard pile
    .from = from the discard pile
    .to = to the discard pile
    .at = in the discard pile
place-heists = { $value } heists
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
place-committed-heists = Committed heists
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } committed heists
    .to = to { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } committed heists
    .at = among { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } committed heists

# --- Coins, backs, marks ---

coin-hundred = Dollars
    .help = Money, in tokens of $100.
    .amount = { $amount ->
        [0] $0
       *[other] ${ $amount }00
    }
    .some = some money
back-specialist = Person
    .help = The back of ringleaders and specialists.
    .counted = { $count ->
        [one] a card
       *[other] { $count } cards
    }
back-heist = Heist
    .help = The back of heists.
    .counted = { $count ->
        [one] a heist
       *[other] { $count } heists
    }
mark-deck-end = End by the deck
    .help = When an exhausted deck ends this match.
mark-second-heist = Heist as a second play
    .help = Set if a heist can be committed after a Femme Fatale.
mark-acting = Under way
    .help = The card whose text, or the heist whose reward, is being resolved.
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
moved-heists-committed-heists = { $seat-is ->
    [you] commit
   *[other] commits
} { $what }
# Takes a card of the own hideout back.
moved-own = { $seat-is ->
    [you] take
   *[other] takes
} { $what } back { $from }
# What is left in exchange for another card or heist.
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
moved-heists-box = the heists { $at } are left out
# The announcement says it.
moved-discard-deck = {""}
paid-hundred-box-town-stash = { $what } fills the Town Stash
paid-taken-from = { $seat-is ->
    [you] steal
   *[other] steals
} { $what } from { $giver-them }
paid-hundred-stash-first-night = { $seat-is ->
    [you] put
   *[other] puts
} { $what } in the first night
# A token moves on with time, which is told.
paid-hundred-first-night-second-night = {""}
paid-hundred-second-night-third-night = {""}
paid-hundred-third-night-town-stash = { $what } from the third night returns to the Town Stash

# --- Decisions, actions, announcements ---

decision-turn = play a specialist or commit a heist
decision-second-play = decide whether to play a second card
decision-rob = choose an opponent to steal from
decision-name-archetype = name the archetype that the Inside Man shows beside the Thug
decision-swap-heists = decide whether to swap a committed heist for one of an opponent’s
decision-choose = { $value-key ->
    [keep] choose which of the drawn cards to keep
    [team-up] choose a card to team up with the Thug
    [duplicate] choose a card in hand for the Fall Guy to duplicate
    [take-back] choose a card in the hideout to take back
    [abduct] choose an opponent’s card to abduct
   *[exchange] decide whether to exchange the Inside Man for an opponent’s card
}
verb-play-specialist = Play a specialist
    .help = Plays a card into the first night and resolves its text.
    .label = Play { $card }
verb-commit-heist = Commit a heist
    .help = Plays a team with exactly the archetypes of a heist, for its reward.
    .label = Commit { $heist } with { $team }
    .short = { $heist }: { $team }
verb-keep = Keep a card
    .help = Keeps one of the drawn cards and discards the others.
    .label = Keep { $card }
verb-team-up = Team up
    .help = Plays a card beside the Thug, as a team of two.
    .label = Team up with { $card }
verb-duplicate = Duplicate a card
    .help = Resolves the text of another card in the hand, which stays there.
    .label = Duplicate { $card }
    .does = { $seat-is ->
        [you] have
       *[other] has
    } the Fall Guy act as another card
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
verb-name-archetype = Name an archetype
    .help = Names the archetype that the Inside Man shows beside the Thug.
    .label = Name { $archetype }
verb-swap-heists = Swap heists
    .help = Swaps a committed heist for one of an opponent’s.
    .label = Swap { $mine } for { $theirs }
    .short = { $mine } → { $theirs }
verb-decline = Decline
    .help = Does without the second card, the swap or the exchange.
    .does = { $seat-is ->
        [you] decline
       *[other] declines
    }
verb-pass = Pass
    .help = Puts $100 into the first night, because no card can be played.
    .label = Pass
# The card says it.
announcement-play = {""}
    .title = Play
announcement-heist = {""}
    .title = Heist
announcement-nothing-comes-of-it = nothing comes of it
announcement-time-advances = {""}
    .title = Time advances
announcement-targets =
    .does = { $seat-is ->
        [you] go
       *[other] goes
    } after lone { $value } cards
announcement-new-deck = the discards make a new deck
announcement-cannot-play =
    .does = { $seat-is ->
        [you] have
       *[other] has
    } no card that can be played
announcement-town-stash-empty = the Town Stash is empty, and the game is over
announcement-heists-committed = all heists have been committed, and the game is over
announcement-deck-out = the deck has run out, and the game is over
# The scores say what a player has and the bonuses, as their parts.
announcement-stash-holds = {""}
    .title = stash
announcement-bonus = {""}
    .title = bonus for the { $value } chain
announcement-tie-on-heists = { $seat-is ->
    [you] you are
   *[other] { $seat } is
} tied for the most money, with { $amount ->
    [one] { $amount } committed heist
   *[other] { $amount } committed heists
}
announcement-tie-on-people = { $seat-is ->
    [you] you are
   *[other] { $seat } is
} still tied, with { $amount ->
    [one] { $amount } card
   *[other] { $amount } cards
}
# A reward with a choice: the heist is committed after it.
marked-acting = { $now-key ->
    [bank-teller-stick-up] the heist is “{ $now }”
    [bookmaker-held-up] the heist is “{ $now }”
    [casino-count-short] the heist is “{ $now }”
    [rival-vault-cracked] the heist is “{ $now }”
   *[other] {""}
}
score = { $seat } { $points ->
    [0] $0
   *[other] ${ $points }00
}
score-of-parts = { $seat } { $points ->
    [0] $0
   *[other] ${ $points }00
} ({ $parts })
score-part = { $title } { $sign }${ $points }00
table-seat = { $seat-is ->
    [you] You
   *[other] { $seat }
}, seat { $number }{ $scored ->
    [yes] , { $points ->
    [0] $0
   *[other] ${ $points }00
}
   *[no] {""}
}{ $resigned ->
    [yes] , resigned
   *[no] {""}
}

# --- Cards ---

facet-kind = Kind
facet-archetype = Archetype
facet-colour = Colour
facet-number = Number
facet-players = Players
facet-team = Team
value-ringleader = ringleader
value-specialist = specialist
value-heist = heist
value-any = any archetype
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
    .text = Steal $200 from the Town Stash.
piece-pickpocket = the Pickpocket
    .brief = Pickpocket
    .text = Steal $200 from one opponent.
piece-fall-guy = the Fall Guy
    .brief = Fall Guy
    .text = Show another card in your hand and resolve its text. It stays in your hand. It cannot be a Fall Guy or an Inside Man.
piece-recruiter = the Recruiter
    .brief = Recruiter
    .text = Draw two cards.
piece-forger = the Forger
    .brief = Forger
    .text = You may swap one of your committed heists for one of an opponent’s.
piece-fixer = the Fixer
    .brief = Fixer
    .text = Take another card from your hideout back into your hand.
piece-analyst = the Analyst
    .brief = Analyst
    .text = Draw two cards, keep one and discard the other. Then steal $100 from the Town Stash.
piece-con-man = the Con Man
    .brief = Con Man
    .text = Steal $100 from the Town Stash for each different archetype in your hideout, this card’s included.
piece-wheelman = the Wheelman
    .brief = Wheelman
    .text = Time advances once more in your hideout.
piece-femme-fatale = the Femme Fatale
    .brief = Femme Fatale
    .text = You may play a second card. Time advances in your hideout before you do.
piece-burglar = the Burglar
    .brief = Burglar
    .text = Steal $300 from the Town Stash.
piece-hacker = the Hacker
    .brief = Hacker
    .text = Steal $200 from the Town Stash, or $300 if you have committed a heist.
piece-middle-man = the Middle Man
    .brief = Middle Man
    .text = Steal $100 from one opponent and $100 from the Town Stash.
piece-thug = the Thug
    .brief = Thug
    .text = Play another card beside this one; its text is ignored. Steal $100 from each opponent for each card of that archetype that is alone in a night of their hideout.
piece-enforcer = the Enforcer
    .brief = Enforcer
    .text = Steal $300 from the richest opponent.
piece-extortionist = the Extortionist
    .brief = Extortionist
    .text = Steal $100 from each opponent, or $200 from an only opponent.
piece-kidnapper = the Kidnapper
    .brief = Kidnapper
    .text = Take a card that is alone in a night of an opponent’s hideout into your hand. It cannot be a ringleader.
piece-inside-man = the Inside Man
    .brief = Inside Man
    .text = You may exchange this card for a card in an opponent’s hideout and resolve that card’s text. It cannot be a ringleader or an Inside Man. In a team, this card shows any one archetype.
piece-weapon-unveiled = Weapon Unveiled
    .exact = Weapon Unveiled ({ $colour } { $number })
    .text = Team: { $team }. Reward: draw a card.
piece-archive-ransacked = Archive Ransacked
    .exact = Archive Ransacked ({ $colour } { $number })
    .text = Team: { $team }. Reward: draw two cards.
piece-inventor-missing = Inventor Missing
    .exact = Inventor Missing ({ $colour } { $number })
    .text = Team: { $team }. Reward: draw two cards, and steal $100 from the Town Stash.
piece-mayor-in-the-pocket = Mayor in the Pocket
    .exact = Mayor in the Pocket ({ $colour } { $number })
    .text = Team: { $team }. Reward: draw three cards, and steal $200 from the Town Stash.
piece-art-display-stolen = Art Display Stolen
    .exact = Art Display Stolen ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal $300 from the Town Stash.
piece-mail-train-stopped = Mail Train Stopped
    .exact = Mail Train Stopped ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal $300 from the Town Stash.
piece-jeweller-cleaned-out = Jeweller Cleaned Out
    .exact = Jeweller Cleaned Out ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal $400 from the Town Stash.
piece-museum-emptied = Museum Emptied
    .exact = Museum Emptied ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal $500 from the Town Stash.
piece-supermarket-robbery = Supermarket Robbery
    .exact = Supermarket Robbery ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal $300 from the Town Stash.
piece-payroll-truck-ambushed = Payroll Truck Ambushed
    .exact = Payroll Truck Ambushed ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal $300 from the Town Stash.
piece-docks-on-fire = Docks on Fire
    .exact = Docks on Fire ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal $400 from the Town Stash.
piece-city-bank-blown-open = City Bank Blown Open
    .exact = City Bank Blown Open ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal $500 from the Town Stash.
piece-bank-teller-stick-up = Bank Teller Stick-Up
    .exact = Bank Teller Stick-Up ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal $200 from one opponent.
piece-bookmaker-held-up = Bookmaker Held Up
    .exact = Bookmaker Held Up ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal $300 from one opponent.
piece-casino-count-short = Casino Count Short
    .exact = Casino Count Short ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal $500 from one opponent.
piece-rival-vault-cracked = Rival Vault Cracked
    .exact = Rival Vault Cracked ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal $700 from one opponent.
piece-muggings-begin = Muggings Begin
    .exact = Muggings Begin ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal $100 from each opponent.
piece-rackets-spread = Rackets Spread
    .exact = Rackets Spread ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal $100 from each opponent, and draw a card.
piece-turf-war-declared = Turf War Declared
    .exact = Turf War Declared ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal $200 from each opponent.
piece-whole-town-squeezed = Whole Town Squeezed
    .exact = Whole Town Squeezed ({ $colour } { $number })
    .text = Team: { $team }. Reward: steal $300 from each opponent.

# --- Options ---

option-first-seat = Who goes first
    .description = The player who goes first. At a table, the players choose how to decide it.
    .is-random = Chance decides
option-deck-end = End by the deck
    .description = When an exhausted deck ends the game: once a card must be drawn and the discard pile is empty too, or as soon as the deck is empty. The rulebook says both.
    .is-nothing-to-draw = Nothing left to draw
    .is-deck-empty = Deck empty
option-second-play = Second card
    .description = What a Femme Fatale allows as the second play: only a specialist, or a heist as well.
    .is-specialist = A specialist
    .is-specialist-or-heist = A specialist or a heist

# --- Refusals ---

refusal-decide-first = you must first { $asked }
refusal-must-play = you may pass only when you have no card that can be played
refusal-not-in-hand = not in your hand: { $cards }
refusal-not-on-top = { $job } is not the next heist of its colour
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
    .pieces = mastermind/1 thief/1 pickpocket/1 art-display-stolen
    .rules = 1 10
    .text =
        Be the richest when the game ends. You send people out to steal from the town and from each other, alone or as teams. Heists
        that you commit are worth a bonus if their colours match.
primer-2 = Your turn
    .decisions = turn
    .rules = 3 6
    .text =
        First, time passes: your people in the hideout move on by one night, from the first to the second to the third and then to the
        refresh area.

        Then you do one thing: you play a specialist, or you commit a heist. If you can, you must.

        Last, everybody in your refresh area returns to your hand. So whoever you send out is gone for three nights. A hand may be of
        any size.
primer-3 = Play a specialist
    .pieces = femme-fatale/1 thug/1 fall-guy/1 inside-man/1
    .decisions = second-play rob name-archetype choose swap-heists
    .rules = 4 7 8
    .text =
        Play one person from your hand into the first night and do what the card says. What has several parts happens in their order,
        and what is impossible is left out. Most steal or draw; what some people need to know:

        - The Femme Fatale lets you play a second person: time passes in your hideout before that.
        - The Thug takes a partner from your hand along. The partner’s text does not count; for each lone card with the partner’s
          archetype in an opponent’s hideout you steal $100 from that opponent.
        - The Fall Guy does what another card in your hand says, and that card stays there. It must be neither an Inside Man nor a Fall
          Guy.
        - The Inside Man may trade places with a card in an opponent’s hideout, and then you do what that card says.
        - Ringleaders can be neither abducted nor exchanged.
primer-4 = Commit a heist
    .pieces = art-display-stolen bank-teller-stick-up
    .rules = 5
    .text =
        Choose the top heist of a colour and play a team from your hand into the first night that shows exactly its archetypes, none
        missing and none to spare. An Inside Man shows any one that you need. The texts of the team do not count: take the reward of the
        heist instead, and lay it before you. The next one of its colour is then on top.

        Two or more cards in one night are a team: the Thug and the Kidnapper pass them by.
primer-5 = Nothing to play
    .rules = 3
    .text =
        With no card in hand, or with nothing but a single Thug, you pass: $100 of your stash, if you have it, goes into your first
        night in place of a card. After three nights it returns to the town, not to you. Whoever passes with a card in hand shows it.
primer-6 = The end
    .rules = 9 10
    .text =
        The game ends at once when the town has no cash left, or when a card must be drawn while deck and discard pile are both empty;
        an option ends it as soon as the deck is empty. It also ends after the play that commits the last heist.

        Your score is your stash in hundreds of dollars, and a bonus for each colour of which you committed several heists: 2 for two
        heists, 4 for three, 7 for all four. Of players with the same score, more heists win, then fewer people in hand, hideout and
        refresh area.
