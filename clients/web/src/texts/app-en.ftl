# Words of the application around the components.

# === Everywhere ===

app-skip = Skip to the content
app-menu = Menu
app-nav-start = Play
app-nav-open = Open seats
app-nav-matches = My matches
app-nav-history = History
app-nav-standings = Standings
app-nav-operators = Operators
app-nav-docs = Docs
app-loading = Loading …
app-offline = The service cannot be reached. It may be restarting; your matches are safe.
app-retry = Try again
app-more = Show more
app-close = Done
app-cancel = Cancel
app-copy = Copy
app-copied = Copied.
app-copy-failed = It could not be copied. Select it and copy it by hand.
app-watch-link = Link to watch
app-copy-link = Copy link
app-watch-link-help = Whoever has it sees this match as a spectator does, and its preview shows the table.
app-any = Any
app-filter = Search
app-filters-clear = Clear filters
app-not-found = There is no such page
app-to-start = Choose a game
app-to-match = Go to the match
app-rules = Rules
app-you = You
app-seat-open = Open
app-bot = Bot ({ $level })
app-bot-named = { $name } (bot, { $level })

# === Settings ===

app-settings = Settings
app-player = Player
app-player-help = You play under this name until you close the tab.
app-language = Language
app-scheme = Look
app-scheme-system = As the system
app-scheme-light = Light
app-scheme-dark = Dark
app-sign-out = Sign out

# === Signing in ===

app-sign-in = Sign in
app-signing-in = Signing in …
app-sign-in-how = Ask the service for a link, on the machine that it runs on, and open it in this browser:
app-sign-in-guests = Were you invited to a match? Open the link that you were sent.
app-sign-in-by-hand = Sign in with a token
app-sign-in-token = Token or API key
app-sign-in-token-help = It is kept until you close the tab, and is sent only to this service.
app-sign-in-used = This link has been used already, or is too old. Ask for a new one.
app-session-ended = Your session has ended. Sign in again to go on.
app-link-ended = The link that you came by is not valid any more. Ask for a new one.

# === Start ===

app-start-title = What shall we play?
app-start-lead = Choose a game, and sit down against bots at once.
app-your-turn = It is your turn
app-seats = { $seats } players
app-players = Players
app-bots = Bots
app-play = Play now
app-play-last = Play { $game } again
app-play-first = Play { $game } now
app-play-how = { $seats } players, { $level } bots
app-how = How to play
app-how-game = How to play { $game }
app-starting = Laying the table …
app-with-people = With people

# === Matches ===

app-open-title = Play with people
app-open-lead = Sit down with others, as { $player }, or open a match of your own.
app-matches-lead = You play as { $player }. Matches that wait for you come first.
app-matches-empty = { $player } has no matches yet.
app-history-empty = No matches are like this.
app-game = Game
app-all-games = All games
app-state = State
app-state-open = Waiting for players
app-state-running = Being played
app-state-ended = Ended
app-state-paused = Paused
app-state-abandoned = Ended without a result
app-state-unreadable = Cannot be read
app-state-your-turn = Your turn
app-state-at-turn = At turn
app-state-won = Won
app-state-shared = Shared win
app-state-lost = Lost
app-won = Winner
app-opponent = Opponent
app-outcome = Outcome
app-outcome-of = An outcome is somebody’s: name a player as well.
app-from = Created from
app-until = Created until
app-length-min = At least this many entries
app-length-max = At most this many entries

# === A match ===

app-match = Match
app-match-id = Id
app-about-match = About this match
app-created = Created
app-entries = Entries
app-see-entries = See the entries
app-chairs = At the table
app-chair = Chair { $number }
app-chair-open = Free
app-chair-invited = Waiting for a guest
app-chair-taken = Taken
app-chair-here = Here
app-chair-away = Away
app-chair-bot = Bot
app-chair-yours = For you
app-chairs-taken = { $taken } of { $chairs } chairs are taken.
app-chair-to-bot = Give it to a bot
app-chair-to-bot-of = Give it to a bot: chair { $number }
app-chair-free = Free the chair
app-chair-free-of = Free the chair: { $player }
app-start-with-bots = { $count ->
    [one] Start now, a bot takes the free chair
   *[other] Start now, bots take the { $count } free chairs
  }
app-waiting-lobby = The match starts as soon as every chair is taken. Everybody finds it under open seats.
app-waiting-link = The match starts as soon as every chair is taken.
app-sit = Sit here
app-invite = Invite by a link
app-invite-how = Whoever opens the link sees this match, says a name and takes a free chair. Send it to those whom you want to play with.
app-invite-link = Link of the invitation
app-invite-code = The link as a code to scan
app-invite-scan = Or let a phone scan it.
app-invite-until = The link works until the chairs are taken, and no longer than
app-invite-anew = New link
app-invite-renewed = There is a new link. The old one lets nobody in any more.
app-share = Share
app-invited = You are invited to a match of
app-invited-by = { $player } invites you to a match of
app-invited-full = All chairs are taken
app-invited-full-help = The match has started, or is about to. Ask for another invitation.
app-your-name = Your name
app-your-name-help = The others see it. You need no account; this browser keeps the name.
app-take-seat = Take a seat
app-clock = Clock
app-clock-other = With clocks
app-presence-here = { $player } is here
app-presence-away = { $player } is away
app-spectators = { $count ->
    [one] One looks on
   *[other] { $count } look on
  }
app-rematch-offer = Offer another match
app-rematch-offered = { $players } offers another match.
app-rematch-waiting = Waiting for { $players } to agree to another match.
app-rematch-agreed = Everybody agrees. The next match is being dealt.
app-rematch-declined = No other match for { $players }.
app-rematch-accept = Accept
app-rematch-decline = Decline
app-rematch-withdraw = Withdraw the offer
app-make-link = Make a link
app-link-of = Link for { $player }
app-seat-links = Links to seats
app-seat-links-help = Whoever opens a link plays on that seat, for a day. Send it to that player only.
app-leave = Leave
app-delete-match = Delete the match
app-delete-match-sure = Delete this match? It has not begun, and nothing of it remains.
app-next-match = Go to the next match
app-play-again = Play again
app-record = Save the record
app-complaint = The service contradicts itself about this match.
app-complaint-help = It signed statements that cannot both be true. They prove that to anyone: save them, and show them to others.
app-complaint-save = Save the signed statements
app-verify = Was it fair?
app-verify-how = The service committed itself to its seed before the first card, and reveals it after the last. With the record, this device works out for itself what happened, takes nothing on the service’s word, and says what it could not check.
app-verify-here = Check this match on this device
app-verifying = Checking …
app-verify-details = Seed and commitment
app-verify-more = How to verify a match
app-verify-file = Check a saved match
app-seed = Seed
app-seed-commitment = Its BLAKE3 hash, published before
app-replay = Replay
app-review = Review
app-replay-of = Replay: { $game }
app-replay-not-started = The match has not begun. There is nothing to replay yet.

# === Standings ===

app-standings-lead = Everybody who has finished such a match, by rating. Bots have none. A question mark says that there are too few results.
app-pool-seats = Seats
app-pool-clocks = Clocks
app-clocks-untimed = No clocks
app-clocks-blitz = Blitz
app-clocks-live = Live
app-clocks-daily = Daily
app-standings-empty = Nobody has finished a match of this game yet.
app-plot-skill = Estimated skill, and how sure it is. The rating is the lower end of each line.
app-rank = Rank
app-rating = Rating
app-rating-rose = up by { $by } to { $rating }
app-rating-fell = down by { $by } to { $rating }
app-rating-sense = New players start at 0. It rises most by beating players with a higher rating.
app-rating-provisional = provisional: it moves much until a few more matches are played
app-rating-course = Last matches
app-rating-line =
  { $matches ->
    [one] 1 match, from { $first } to { $last }
   *[other] { $matches } matches, from { $first } to { $last }
  }
app-played = Played
app-wins = Won
app-last-played = Last played
app-opponents = Opponents
app-ahead = Ahead
app-level = Level
app-behind = Behind
app-last-matches = Last matches
app-all-matches = All matches

# === Operators ===

app-tab-matches = Matches
app-tab-players = Players
app-tab-search = Search
app-tab-projections = Projections
app-tab-subscriptions = Subscriptions
app-tab-platform = Platform
app-tab-acts = Acts
app-tab-live = Now
app-acts-lead = What operators and the platform changed, the latest first. Nothing here is changed or removed later.
app-acts-empty = There are no acts like this.
app-act-kind = Act
app-act-actor = By
app-act-outcome = Outcome
app-act-installation = The installation
app-act-done = Done
app-act-unchanged = Nothing to change
app-act-failed = Failed
app-act-unknown = Under way, or unknown
app-actor-command-line = An operator, at the command line
app-actor-service = The service
app-actor-platform = The platform
app-actor-operator = An operator, with a key
app-operator-key = Key of an operator
app-operator-key-help = For all platforms. croupier operator key makes one. It is forgotten with this page.
app-operator-key-use = Use the key
app-operator-key-used = The key of an operator is in use.
app-operator-key-forget = Forget the key
app-operator-key-refused = This key is not accepted.
app-players-lead = What the platform has of a player, under the platform’s own id.
app-players-show = Show
app-players-results = Results and ratings
app-players-entries = Entries of the player, by game
app-players-sign-out = End the player’s tokens
app-players-sign-out-sure = End all tokens of this player? Whoever plays with one has to sign in again. Tokens of single seats stay valid.
app-players-signed-out = All tokens of the player up to now are ended.
app-players-erase = Erase the player
app-players-erase-sure = Erase this player from all matches? Names and messages are lost for good. Results stay, under a pseudonym.
app-players-erased = The player was erased.
app-players-unknown = The platform knows nobody by this id. Tokens, if there were any, are ended.
app-players-browsers = Browsers that are told of turns
app-players-no-browsers = No browser is told.
app-players-browser = Of all matches, registered
app-players-browser-of = Of one match, registered
app-live-lead = What the process that answers does now, for all platforms. It takes the key of an operator.
app-live-process = Process
app-live-stop = Stop
app-live-go-on = Go on
app-live-calls = Calls a second
app-live-refused = Refused calls a second
app-live-failed = Failed calls a second
app-live-entries = Entries recorded a second
app-live-shed = Actions turned away a second
app-live-streams = Open streams
app-live-matches = Matches in memory
app-live-database = Busy database connections
app-live-lag = Entries that read models lack
app-live-agents = Waiting for agents
app-live-most = At most { $most } in the last five minutes
app-live-chart = { $title }: { $now } now, from { $least } to { $most } in the last five minutes
app-live-age = for { $seconds } s
app-order = Order
app-order-newest = Newest first
app-order-deadline = Soonest deadline first
app-tag = Tag
app-seating = Seats
app-last-entry = Last entry
app-actions = Actions
app-pause = Pause
app-pause-sure = Pause this match? Its players cannot act until it is resumed.
app-resume = Resume
app-end = End
app-end-sure = End this match without a result? This cannot be undone.
app-delete = Delete
app-entries-of = Entries: { $game }
app-entries-empty = Nothing has happened yet.
app-entry-untold = Nothing that this viewer may know.
app-viewer = As told to
app-viewer-spectator = Spectators
app-viewer-seat = Seat { $seat }: { $player }
app-viewer-house = The house, which sees everything
app-table-then = The table then
app-message = Message
app-search-lead = Entries of all matches of a game, newest match first.
app-search-empty = No entries are like this.
app-verb = Action
app-piece = Piece
app-announcement = Announcement
app-round = Round
app-value-min = Value at least
app-value-max = Value at most
app-projections-lead = What the service derives from all matches, to answer questions across them. It follows the record by itself.
app-projection-current = Up to date
app-projection-lag = { $entries ->
    [one] { $entries } entry behind
   *[other] { $entries } entries behind
  }
app-behind-since = Since
app-rebuilds = Rebuilds
app-rebuilding = Being rebuilt
app-subscriptions-lead = Who is told what happens in all matches.
app-webhooks-more = How webhooks work
app-subscriptions-empty = There are no subscriptions yet.
app-subscription = Subscription
app-subscription-new = New subscription
app-subscription-create = Create the subscription
app-subscription-delete-sure = Delete this subscription? Its position is lost.
app-all-subscriptions = All subscriptions
app-name = Name
app-endpoint = Endpoint
app-endpoint-help = Where the service sends the entries. Leave it empty for a consumer of your own.
app-only-new = Only what happens from now on
app-consumed = Consumed by the platform
app-consumers = { $consumers ->
    [0] No consumer
    [one] { $consumers } consumer
   *[other] { $consumers } consumers
  }
app-consumed-by = Consumers
app-nobody = Nobody at present
app-selects = Selects
app-selects-all = Everything
app-push-healthy = Delivered
app-push-failing = Failing
app-push-disabled = Given up
app-failing-since = Failing since
app-last-error = Last error
app-next-attempt = Next attempt
app-disabled = Given up
app-secret-once = The secret that signs the messages of { $name }. Keep it now: it is not shown again.
app-secret-expires = Earlier secrets expire
app-test = Send a test
app-redeliver = Send what waits now
app-redeliver-sure = Send everything that waits now? The receiver may be busy.
app-rotate = New secret
app-rotate-sure = Sign with a new secret? The present one signs too for another day.
app-deliveries = Deliveries
app-deliveries-empty = Nothing has been sent yet.
app-time = Time
app-attempt = Attempt
app-answer = Answer
app-no-answer = None
app-duration = Took
app-send-again = Send again
app-send-again-sure = Send this message and everything after it again?
app-limits = Limits
app-limits-help = What the platform may use. Operators change it by croupier platform limits.
app-limit = Limit
app-limit-used = Used
app-limit-value = At most
app-limit-by = Set by
app-limit-operator = An operator
app-limit-default = The service
app-keys = API keys
app-keys-help = Operators create and revoke them by croupier platform.
app-key = Key
app-key-valid = Valid
app-key-revoked = Revoked
app-tell = Tell me when it is my turn
app-tell-no = No, thanks
app-tell-stop = Stop telling me of turns
app-tell-done = This browser tells you when it is your turn.
app-tell-failed = This browser cannot be told of turns.
app-tell-again = Offer to tell me of turns again
app-quiet = Quiet hours
app-quiet-start = from
app-quiet-end = until
app-quiet-help = This browser is told of no turns then, and at their end of all that still wait.
app-quiet-refused = These quiet hours cannot be kept. They take at most 20 hours.
app-device-play = Play on this device, without the service
app-device-title = Play on this device
app-device-lead = The rules and the bots are in this browser. No network is needed, and nothing is sent.
app-device-go-on = Go on
app-device-ended = Played here
app-device-guest = Guest
app-device-forget = Forget
app-device-forget-match = Forget the match of { $game }
app-device-forget-sure = Forget this match, which has not ended?
app-device-leave = Play with the service
app-device-here = On this device
app-device-kept = This browser keeps the match. You can go on after you have closed the page.
app-device-verify = The record
app-device-verify-how = This device dealt, and kept a record. Check it here, or save it: every verifier takes the file.
app-give = The service
app-give-how = Give this match to the service: it plays the match again by its own rules, and keeps it in the history of { $player }. It counts for no rating.
app-give-how-guest = Give this match to the service: it plays the match again by its own rules, and keeps it in your history. It counts for no rating.
app-give-now = Give this match to the service
app-giving = The service plays it again …
app-given = The service has this match.
app-given-look = Look at it there
app-give-sign-in = Once you have signed in, you can give this match to the service.
