game = Mountebank
    .description = Gather cards of a suit, run cons with them, and grab what opportunities others leave.
    .duration = 15 to 20 minutes
    .difficulty = easy
    .cover = ace-of-suns desert island

# --- Places ---

place-supply = Supply
    .from = from the supply
    .to = to the supply
    .at = in the supply
place-deck = Deck
    .from = from the deck
    .to = into the deck
    .at = in the deck
place-draft = Draft area
    .from = from the draft area
    .to = to the draft area
    .at = in the draft area
place-discard = Discard pile
    .from = from the discard pile
    .to = to the discard pile
    .at = in the discard pile
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
place-crown = Crown of { $value }
    .from = from the Crown of { $value }
    .to = on the Crown of { $value }
    .at = on the Crown of { $value }
place-winnings = Winnings
    .from = from { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } winnings
    .to = to { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } winnings
    .at = in { $owner-is ->
        [self] the
       *[other] { $owner-whose }
    } winnings

# --- Coins, backs, marks ---

coin-token = Tokens
    .help = Points.
    .amount = { $amount ->
        [one] { $amount } token
       *[other] { $amount } tokens
    }
    .some = some tokens
back-card = Card
    .counted = { $count ->
        [one] a card
       *[other] { $count } cards
    }
mark-reshuffled = Second deck
    .help = The discards have been shuffled into a second deck.
mark-turns-left = Turns left
    .help = Turns until the end, including the one under way, once the deck has run out.

# --- Decisions, actions, announcements ---

decision-turn = scheme or run a con
decision-second-card = add the second card of the scheme
verb-draw = Draw
    .help = Adds the top card of the deck to your hand: half a scheme.
    .label = Draw a card from the deck
verb-take = Take
    .help = Adds a card of the draft area to your hand: half a scheme.
    .label = Take { $card } from the draft area
    .short = Take { $card }
verb-con = Con
    .help = Discards cards that share a suit, for points.
    .label = Run a con of { $primary } with { $cards }
    .short = { $primary }: { $cards }
verb-pass = Pass
    .help = Does nothing. Allowed only when nothing else is possible.
    .does = { $seat-is ->
        [you] pass
       *[other] passes
    }
announcement-con =
    .does = { $seat-is ->
        [you] run a con of { $value } worth { $amount }
       *[other] runs a con of { $value } worth { $amount }
    }
# The score says it.
announcement-tokens-won = {""}
    .title = tokens
announcement-new-deck = the discards make a new deck
announcement-last-turns = the deck has run out: each player has one more turn
# The announcement says it.
moved-discard-deck = {""}

# --- Pieces ---

facet-rank = Rank
facet-suits = Suits
value-moons = Moons
value-suns = Suns
value-waves = Waves
value-leaves = Leaves
value-wyrms = Wyrms
value-knots = Knots
value-ace = Ace
value-pawn = Pawn
value-court = Court
value-crown = Crown
piece-ace-of-moons = the Ace of Moons
piece-ace-of-suns = the Ace of Suns
piece-ace-of-waves = the Ace of Waves
piece-ace-of-leaves = the Ace of Leaves
piece-ace-of-wyrms = the Ace of Wyrms
piece-ace-of-knots = the Ace of Knots
piece-author = the Author
piece-desert = the Desert
piece-origin = the Origin
piece-journey = the Journey
piece-painter = the Painter
piece-savage = the Savage
piece-mountain = the Mountain
piece-sailor = the Sailor
piece-battle = the Battle
piece-forest = the Forest
piece-discovery = the Discovery
piece-soldier = the Soldier
piece-lunatic = the Lunatic
piece-penitent = the Penitent
piece-market = the Market
piece-chance-meeting = the Chance Meeting
piece-castle = the Castle
piece-cave = the Cave
piece-diplomat = the Diplomat
piece-mill = the Mill
piece-betrayal = the Betrayal
piece-pact = the Pact
piece-darkness = the Darkness
piece-merchant = the Merchant
piece-harvest = the Harvest
piece-watchman = the Watchman
piece-light-keeper = the Light Keeper
piece-borderland = the Borderland
piece-consul = the Consul
piece-rite = the Rite
piece-island = the Island
piece-window = the Window
piece-huntress = the Huntress
piece-bard = the Bard
piece-sea = the Sea
piece-end = the End
piece-calamity = the Calamity
piece-windfall = the Windfall

# --- Options ---

option-first-seat = Who goes first
    .description = The player who goes first. At a table, the player who boasted last does.
    .is-random = Chance decides

# --- Refusals ---

refusal-scheming = finish the scheme under way first
refusal-hand-full = a hand holds at most { $cards-max } cards
refusal-deck-empty = the deck is empty
refusal-not-in-draft = { $card } is not in the draft area
refusal-not-in-hand = not in your hand: { $cards }
refusal-no-common-suit = every card of a con except aces must show its suit, { $primary }, and at least one must
refusal-must-play = you may pass only when you can do nothing else

# --- How to play ---

primer-1 = The goal
    .pieces = desert ace-of-suns island huntress
    .rules = 1 6
    .text =
        Have the most tokens when the cards run out. You win them with cons: cards with a suit in common that you discard together. And
        you take the tokens that lie on the Crowns, where they are left for anybody who runs a con of that suit.
primer-2 = Your turn
    .decisions = turn
    .rules = 3
    .text =
        On your turn you do one of two things: you scheme, or you run a con. Then the next player has a turn.
primer-3 = Scheme
    .decisions = second-card
    .rules = 4
    .text =
        A scheme adds two cards to your hand, one after the other. Each is either the top card of the deck, unseen, or one of the cards
        that lie face up in the draft area. A card taken from there is replaced from the deck at once, so your second card may be the
        new one.

        You hold seven cards at most. With six, a scheme adds only one card. With seven you cannot scheme: run a con.
primer-4 = Run a con
    .pieces = battle betrayal desert ace-of-knots
    .rules = 5
    .text =
        Discard any number of cards from your hand that all show one suit, and name it: it is the primary suit. Aces may join any con,
        also if they do not show its suit. One card alone is a con too.

        - Count the cards that show the primary suit. Count those that show the most frequent other suit. Multiply the two: so many
          tokens are yours.
        - Then take all tokens from the Crown of the primary suit.
        - Last, look for suits that exactly one card of your con shows. The Crown of each gets as many tokens as cards show that most
          frequent other suit. These are a gift to the players after you, so mind what you leave.

        For example, “Battle” and “Betrayal” (both Wyrms and Knots), “Desert” (Suns and Wyrms) and the Ace of Knots, with Wyrms as the
        primary suit: three cards show Wyrms, three show Knots, so you get 9 tokens and what lies on the Crown of Wyrms. Only “Desert”
        shows Suns, so 3 tokens go to the Crown of Suns.
primer-5 = The end
    .rules = 6
    .text =
        With two players, the end begins when the deck runs out. With three or four, the discards, if there are any, make a new deck
        once, and the end begins when that one runs out too.

        The turn under way is finished, and then everybody has one more turn; whoever emptied the deck has the last. The most tokens
        win. Cards in hand and tokens on Crowns count for nothing, and players who tie share the win.
