# What the stories of all games share. A game's file may have any of these messages as its own.
#
# A predicate follows its subject, `$seat`: "Ada" + "draws a card". `$seat-is` is `you` if the
# subject is the reader. Every other person `x` has `$x`, `$x-is`, `$x-them`, `$x-to` and
# `$x-whose` ("Ada's", "your").

# --- People ---

# `$is` is `you` for the reader, otherwise `other`. `$initial` is the first letter of the name, small and
# without its accent.
person = { $is ->
    [you] you
   *[other] { $name }
}
    .them = { $is ->
        [you] you
       *[other] { $name }
    }
    .to = { $is ->
        [you] you
       *[other] { $name }
    }
    .whose = { $is ->
        [you] your
       *[other] { $name }’s
    }
# A seat without a known player.
seat = seat { $number }
list = { $first } and { $last }
# What separates a head from what follows, and clauses.
colon = {": "}
semicolon = {"; "}
nothing = nothing
everything = everything
# A piece in a sentence.
named = { $title }
# The same where copies of it lie elsewhere.
named-at = { $title } { $at }
# What the groups of a menu leave over.
others = other
some-pieces = some pieces
uncounted = an unknown number of pieces
each-player = each player
each-other-player = each other player

# --- Pieces: predicates of the seat they come to or leave, then clauses of their own ---

moved-dealt = { $seat-is ->
    [you] are dealt { $what }
   *[other] is dealt { $what }
}
moved-drawn = { $seat-is ->
    [you] draw { $what } { $from }
   *[other] draws { $what } { $from }
}
moved-taken-up = { $seat-is ->
    [you] take { $what } { $from }
   *[other] takes { $what } { $from }
}
moved-taken = { $seat-is ->
    [you] take { $what } { $from }
   *[other] takes { $what } { $from }
}
moved-given = { $seat-is ->
    [you] give { $what } to { $taker-to }
   *[other] gives { $what } to { $taker-to }
}
moved-discarded = { $seat-is ->
    [you] discard { $what }
   *[other] discards { $what }
}
moved-played = { $seat-is ->
    [you] play { $what } { $to }
   *[other] plays { $what } { $to }
}
moved-put = { $seat-is ->
    [you] put { $what } { $to }
   *[other] puts { $what } { $to }
}
moved-revealed = { $seat-is ->
    [you] reveal { $what }
   *[other] reveals { $what }
}
moved-own = { $seat-is ->
    [you] move { $what } { $from } { $to }
   *[other] moves { $what } { $from } { $to }
}
moved-to-discard = { $count ->
    [one] { $what } is discarded
   *[other] { $what } are discarded
}
moved-opened = { $count ->
    [one] { $what } comes { $from } { $to }
   *[other] { $what } come { $from } { $to }
}
moved = { $count ->
    [one] { $what } goes { $from } { $to }
   *[other] { $what } go { $from } { $to }
}
gathered = everything { $at } goes { $to }
gathered-into-deck = everything { $at } is shuffled { $to }
shown = { $seat-is ->
    [you] show { $what }
   *[other] shows { $what }
}
shown-to-one = { $seat-is ->
    [you] look at { $what } { $at }
   *[other] looks at { $what } { $at }
}
shown-to-some = { $people } look at { $what } { $at }
shown-to-all = everyone sees { $what } { $at }

# --- Coins ---

paid-got = { $seat-is ->
    [you] get { $what }
   *[other] gets { $what }
}
paid = { $seat-is ->
    [you] pay { $what }
   *[other] pays { $what }
}
paid-taken = { $seat-is ->
    [you] take { $what } { $from }
   *[other] takes { $what } { $from }
}
paid-put = { $seat-is ->
    [you] put { $what } { $to }
   *[other] puts { $what } { $to }
}
paid-own = { $seat-is ->
    [you] move { $what } { $from } { $to }
   *[other] moves { $what } { $from } { $to }
}
paid-taken-from = { $seat-is ->
    [you] take { $what } from { $giver-them }
   *[other] takes { $what } from { $giver-them }
}
paid-to = { $seat-is ->
    [you] pay { $taker-to } { $what }
   *[other] pays { $taker-to } { $what }
}
paid-laid = { $amount ->
    [one] { $shares } is laid out
   *[other] { $shares } are laid out
}
paid-moved = { $amount ->
    [one] { $what } goes { $from } { $to }
   *[other] { $what } go { $from } { $to }
}
paid-share = { $what } { $to }

# --- Other events ---

rolled = { $seat-is ->
    [you] roll { $what }
   *[other] rolls { $what }
}
round-began = Round { $number } begins
phase-began = The { $phase } phase begins
turn-began = It is { $seat-whose } turn
turn-again = It is { $seat-whose } turn again
offered = { $seat-is ->
    [you] offer { $to-to } { $give } for { $take }
   *[other] offers { $to-to } { $give } for { $take }
}
offered-gift = { $seat-is ->
    [you] offer { $to-to } { $give } for nothing
   *[other] offers { $to-to } { $give } for nothing
}
offered-request = { $seat-is ->
    [you] ask { $to-them } for { $take }
   *[other] asks { $to-them } for { $take }
}
offer-closed = { $seat-whose } offer is off the table
scores = Scores: { $scores }
score = { $seat } { $points }
score-of-parts = { $seat } { $points } ({ $parts })
# A part of a score, such as what a player has in coins.
score-part = { $title } { $sign }{ $points }
won = { $seat-is ->
    [you] you win
   *[other] { $seat } wins
}
won-shared = { $people } share the win
abandoned = the match ends without a result
resigned = { $seat-is ->
    [you] give up the seat
   *[other] gives up the seat
}
time-added = { $seat-is ->
    [you] have more time to decide, because the service was away
   *[other] has more time to decide, because the service was away
}
said = { $seat-is ->
    [you] say “{ $text }”
   *[other] says “{ $text }”
}
said-privately = { $seat-is ->
    [you] say “{ $text }” to { $people-them } in private
   *[other] says “{ $text }” to { $people-them } in private
}
said-erased = { $seat-is ->
    [you] say something that has been erased
   *[other] says something that has been erased
}
said-privately-erased = { $seat-is ->
    [you] say something to { $people-them } in private that has been erased
   *[other] says something to { $people-them } in private that has been erased
}
said-unheard = { $seat-is ->
    [you] say something in private
   *[other] says something in private
}
contributed = { $seat-is ->
    [you] add to the chance of the match
   *[other] adds to the chance of the match
}
stood = { $seat-is ->
    [you] let the house answer, whenever asked to { $decision }
   *[other] lets the house answer, whenever asked to { $decision }
}
stood-no-more = { $seat-is ->
    [you] answer again, when asked to { $decision }
   *[other] answers again, when asked to { $decision }
}
voted = { $seat-is ->
    [you] vote to { $motion ->
        [end] end the match without a result
        [pause] pause the match
       *[resume] resume the match
    }
   *[other] votes to { $motion ->
        [end] end the match without a result
        [pause] pause the match
       *[resume] resume the match
    }
}
voted-no-more = { $seat-is ->
    [you] no longer vote to { $motion ->
        [end] end the match without a result
        [pause] pause the match
       *[resume] resume the match
    }
   *[other] no longer votes to { $motion ->
        [end] end the match without a result
        [pause] pause the match
       *[resume] resume the match
    }
}
paused = the match is paused
resumed = the match goes on
replaced = { $seat } takes over the seat
opened = the table is set up
house = the house acts

# --- Decisions: `$decision` is an infinitive. `$people-are` is `you`, `one`, `many` or `with-you`. ---

prompt-must = { $people } must { $decision }
prompt-may = { $people } may { $decision }

# --- Actions of every game ---

verb-open = Set-up
    .help = The house lays out the table.
verb-resign = Resign
    .help = Gives up: the house answers for the seat from now on, and the seat does not win.
    .does = { $seat-is ->
        [you] resign
       *[other] resigns
    }
verb-timeout = Timeout
    .help = The time of the seat has run out: the house answers for it once, or it resigns.
    .does = { $seat-is ->
        [you] run out of time
       *[other] runs out of time
    }
verb-add-time = Time added
    .help = The seats that have to decide get back the time in which the service was away.
verb-say = Say
    .help = Says something to everyone, or to some players in private. It is not binding.
    .label = { $to-count ->
        [0] Say “{ $text }”
       *[other] Say “{ $text }” to { $to }
    }
    .short = Say “{ $text }”
verb-undo = Take back
    .help = Takes back the seat’s last action, if it revealed nothing, chance had no part in it, and nobody has acted since.
    .does = { $seat-is ->
        [you] take back the last action
       *[other] takes back the last action
    }
verb-vote = Vote
    .help = Votes to end the match without a result, to pause it or to resume it. It takes the votes of all who have not resigned.
verb-abandon = End without a result
    .help = The match ends, and counts for nothing.
verb-pause = Pause
    .help = The match rests, and nobody can act until it is resumed.
verb-resume = Resume
    .help = The match goes on after a pause.
verb-replace = Substitute
    .help = Another player takes over a seat.
verb-stand = Standing answer
    .help = Lets the house answer a decision from now on, as if the seat were away, or not.
    .label = { $on ->
        [yes] Let the house answer, whenever asked to { $decision }
       *[no] Answer again, when asked to { $decision }
    }
option-talk = Talk
    .description = Whether the players can talk to each other, to all or in private, and whether there is a limit to how often.
    .is-off = Off
    .is-on = On
    .is-unlimited = Without limit
option-first-seat = Who goes first
    .description = The player who goes first.
    .is-random = Chance decides

# --- A match in a sentence or two ---

summary = { $open ->
    [0] { $game }: { $people }
    [one] { $game }: { $people }, one seat is open
   *[other] { $game }: { $people }, { $open } seats are open
}
summary-turn = { $round ->
    [0] it is { $seat-whose } turn
   *[other] round { $round }, it is { $seat-whose } turn
}
summary-waiting = waiting for { $people-them }
# The title of a message to a player's browser.
waiting = { $matches ->
    [one] It is your turn
   *[other] It is your turn in { $matches } matches
}

# --- The table as lines of text ---

table-common = On the table
# The row with the parts of a score.
table-score = score
table-round = round { $number }
table-phase = { $phase } phase
table-turn = { $seat-whose } turn
# In a pile whose order is known.
table-below = { $count } below
table-seat = { $seat-is ->
    [you] You
   *[other] { $seat }
}, seat { $number }{ $scored ->
    [yes] , { $points } { $points ->
        [one] point
       *[other] points
    }
   *[no] {""}
}{ $resigned ->
    [yes] , resigned
   *[no] {""}
}

# --- Why an action had no effect: reasons of every game ---

refusal-match-ended = the match has ended
refusal-not-seated = this match has no such seat
refusal-resigned = a player who has resigned cannot act
refusal-not-asked = there is nothing to decide for this seat now
refusal-no-such-seat = there is no such seat in this match
refusal-yourself = nobody talks to themselves
refusal-text-blank = a text must show something
refusal-text-too-long = a text has at most { $characters-max } characters; this one has { $characters }
refusal-text-not-plain = character { $character } of the text is not allowed
refusal-no-standing-answer = the house cannot answer this for a player: { $decision }
refusal-nothing-changes = it is already so
refusal-match-paused = the match is paused
refusal-match-not-paused = the match is not paused
refusal-take-back-nothing = your last action is not the last thing that happened
refusal-take-back-chance = chance had a part in this, so it cannot be taken back
refusal-take-back-revealed = this cannot be taken back: others have learned something from it{ $revealed-count ->
    [0] {""}
   *[other] {" "}({ $revealed })
}
refusal-take-back-final = this cannot be taken back
refusal-not-resigned = the player of this seat has not resigned

# --- Why a call had no effect: reasons of the service that players meet ---

refusal-not-your-seat = this is not your seat
refusal-position-moved = the match has moved on
refusal-prompt-moved = this is not what is asked any more
refusal-match-not-started = the match has not started
refusal-suggestions-against-people = there are no hints against people
refusal-match-not-ended = the match has not ended
refusal-match-full = the match has no open seat
refusal-seat-taken = the seat is taken
refusal-display-name-taken = another player of the match has this name
refusal-talk-off = this match has no talk
refusal-too-many-asides = enough was said for now; talk goes on with the next turn
refusal-rate-limit-exceeded = this was too fast; try again in a moment
