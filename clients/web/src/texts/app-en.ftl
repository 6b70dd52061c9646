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
app-copied = Copied.
app-copy-failed = It could not be copied. Select it and copy it by hand.
app-not-found = There is no such page
app-to-start = Choose a game
app-rules = Rules
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

# === This browser ===

app-tell-again = Offer to tell me of turns again
app-quiet = Quiet hours
app-quiet-start = from
app-quiet-end = until
app-quiet-help = This browser is told of no turns then, and at their end of all that still wait.
app-quiet-refused = These quiet hours cannot be kept. They take at most 20 hours.
app-device-play = Play on this device, without the service
app-device-title = Play on this device
app-device-lead = The rules and the bots are in this browser. No network is needed, and nothing is sent.
