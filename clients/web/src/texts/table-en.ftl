# Words of the table, the replay and the lobby.

# === The table ===

table-loading = Laying the table …
table-reconnecting = Connection lost. Reconnecting …
table-seat = Seat { $seat }
table-you = You
table-points = { $points ->
    [one] { $points } point
   *[other] { $points } points
  }
table-waiting-for-players = Waiting for players
table-open-seat = open
table-turn = At turn
table-deciding = Deciding
table-resigned = Resigned
table-paused = The match is paused.
table-ending = The end of the match
table-you-won = { $by ->
    [0] You won.
    [one] You won by { $by } point.
   *[other] You won by { $by } points.
  }
table-you-lost = { $by ->
    [0] You lost. { $players } won.
    [one] You lost to { $players } by { $by } point.
   *[other] You lost to { $players } by { $by } points.
  }
table-shared = You share the win.
table-won = { $players } won.
table-no-result = The match ended without a result.
table-watching = You are watching.
table-nothing-to-do = Nothing to do for you right now.
table-opponents = Other seats
table-open-seat-of = Show what { $player } has
table-sounds = Sounds
table-common = On the table
table-your-place = Your places
table-cards = { $count ->
    [one] { $count } piece
   *[other] { $count } pieces
  }
table-hidden-number = number hidden
table-show-all = Show all pieces
table-actions = What you can do
table-choose-more = Choose more of what glows, or what to do:
table-choose-glowing = Choose what glows on the table.
table-idle = “{ $title }” cannot be chosen now. What can be chosen glows.
table-idle-because = “{ $title }” cannot be chosen now. { $reasons }
table-idle-not-asked = Nothing can be chosen now: you are not asked anything.
table-why = Why?
table-hint = Hint
table-hint-title = A bot that thinks ahead would:
table-hint-estimate = it expects to win { $percent } of 100
table-hint-wait = wait
table-hint-none = The bots have no advice in this game.
table-clear = Clear
table-form-open = { $verb } …
table-cancel = Cancel
table-anyone = everyone
table-none = none
table-menu = Match
table-take-back = Take back
table-resign = Resign
table-resign-question = Resign this match? The house plays on for you, and you cannot win.
table-resign-yes = Yes, resign
table-vote-pause = Vote to pause
table-vote-resume = Vote to resume
table-vote-end = Vote to end without a result
table-votes = { $count } of { $needed } votes
table-withdraw-vote = withdraw your vote
table-standing = The house answers for you
table-standing-help = Whenever you are asked this, the house answers for you, unless it concerns you.
table-log = What happened
table-set-up = The set-up
table-talk = Talk
table-talk-to = To
table-talk-text = Message
table-send = Send
table-sending = Sending …
table-sending-later = No connection. It is sent when the connection is back.
table-offer = { $by } offers { $to }
table-gives = gives
table-takes = takes
table-nothing = nothing
table-time-left = Time left
table-out-of-time = Time is up

# === How to play ===

table-how = How to play

# === Keys ===

table-keys = Keys
keys-action = Choose the action with that number
keys-card = Go to the next piece that glows
keys-choose = Choose what has the focus
keys-arrows = Go through the pieces of a place
keys-clear = Choose anew
keys-primer = How to play
keys-hint = A hint, against bots
keys-help = This list
keys-on = Keys with a single character are on

# === The replay ===

replay-position = Position
replay-first = To the start
replay-back = One step back
replay-play = Play
replay-pause = Pause
replay-forward = One step forward
replay-last = To the end
replay-speed = Speed
replay-viewer = As seen by
replay-spectator = Spectators
replay-house = Everything revealed

# === The review ===

review-start = Review my decisions
review-title = Your chances, as a bot saw them at each of your decisions
review-win = win
review-loss = loss
review-progress = { $done } of { $all } decisions
review-none = The bots cannot judge this match.
review-moments = What cost most:
review-no-moments = No decision cost much.
review-moment = Position { $number }: { $taken }. A bot expects to win { $points } of 100 more with: { $best }
review-here = Here a bot would:
review-taken = You did this

# === The lobby ===

lobby-open = Open seats
lobby-none = No open seats right now.
lobby-none-help = Open a match, and others find it here.
lobby-join = Take a seat
lobby-resume = Go to the match
lobby-new = New match
lobby-create = Create the match
lobby-creating = Creating …
lobby-cancel = Cancel
lobby-retry = Try again
lobby-offline = The service cannot be reached.
lobby-loading = Looking for open seats …
lobby-game = Game
lobby-all-games = All games
lobby-seats = Seats
lobby-seats-taken = { $taken } of { $seats } seats taken
lobby-seat = Seat { $seat }
lobby-seat-you = You
lobby-seat-open = Open
lobby-bot = Bot, { $level }
lobby-time = Time
lobby-time-none = No clock
lobby-time-other = With clocks
lobby-who = Who may join
lobby-who-lobby = Everybody who sees this list
lobby-who-link = Only those who get a link
lobby-options = Options of the game
lobby-seek = Find opponents
lobby-seek-help = You are seated as soon as enough others look for the same match.
lobby-seeking = Looking for opponents …
lobby-seek-stop = Stop looking

# === Fields of forms ===

field-give = You give
field-take = You get
field-to = To
field-by = By
field-seat = Player
field-seats = Players
field-amount = How many
field-card = Card
field-cards = Cards
field-units = Units
