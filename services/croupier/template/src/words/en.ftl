game = New game
    .description = Draw cards, and keep them before a value comes twice.
    .duration = 5 to 10 minutes
    .difficulty = easy
    .cover = six/1 three/1 one/1

# --- Places ---

place-deck = Deck
    .from = from the deck
    .to = into the deck
    .at = in the deck
place-discard = Discard pile
    .from = from the discard pile
    .to = to the discard pile
    .at = in the discard pile
place-row = Row
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } row
    .to = to { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } row
    .at = in { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } row
place-kept = Kept cards
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } kept cards
    .to = to { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } kept cards
    .at = among { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } kept cards

# --- Cards ---

back-card = Card
    .counted = { $count ->
        [one] a card
       *[other] { $count } cards
    }
facet-value = Value
piece-one = a One
piece-two = a Two
piece-three = a Three
piece-four = a Four
piece-five = a Five
piece-six = a Six

# --- Decisions, actions, announcements ---

decision-turn = draw, drop or keep
verb-draw = Draw
    .help = Adds the next card of the deck to your row. A value that is there already costs the row.
    .label = Draw a card
verb-drop = Drop
    .help = Discards a card of your row.
    .label = Drop { $card }
verb-keep = Keep
    .help = Keeps your row, and ends your turn.
    .label = Keep the row
    .does = { $seat-is ->
        [you] keep the row
       *[other] keeps the row
    }
# The action says it; the last card ends the match without one.
moved-row-kept = { $verb ->
    [keep] {""}
   *[other] the row is kept
}
announcement-bust = a value has come twice
announcement-points-kept = {""}
    .title = points

# --- Refusals ---

refusal-not-in-row = { $card } is not in your row
refusal-last-card = a row keeps one card at least

# --- How to play, for people who are new to it ---

primer-1 = The goal
    .pieces = six/1 three/1 one/1
    .rules = 1 4
    .text =
        Have the most points when the deck is empty. Each card that you have kept counts its value.
primer-2 = Your turn
    .decisions = turn
    .rules = 3
    .text =
        Your turn begins with a card in your row. Then do these as often as you like:

        - Draw: the next card of the deck joins your row.
        - Drop: discard a card of your row, so that its value may come again. One card stays.
        - Keep: the whole row is safe, and the next player has a turn.
primer-3 = A value that comes twice
    .pieces = four/1 four/2
    .text =
        Draw a value that your row has already, and you lose the whole row. Your turn is over. What you kept in earlier turns stays yours.
primer-4 = The end
    .rules = 4
    .text =
        Whoever draws the last card keeps what is left of the row. Then everybody counts, and players who tie share the win.
