# Les mots de l’application autour des composants.

# === Everywhere ===

app-skip = Aller au contenu
app-menu = Menu
app-nav-start = Jouer
app-nav-open = Places libres
app-nav-matches = Mes parties
app-nav-history = Historique
app-nav-standings = Classement
app-nav-operators = Exploitation
app-nav-docs = Docs
app-loading = Chargement…
app-offline = Le service est injoignable. Il redémarre peut-être ; vos parties sont en sécurité.
app-retry = Réessayer
app-more = Afficher plus
app-close = Terminé
app-cancel = Annuler
app-copied = Copié.
app-copy-failed = La copie a échoué. Sélectionnez le lien et copiez-le à la main.
app-not-found = Cette page n’existe pas
app-to-start = Choisir un jeu
app-rules = Règles
app-seat-open = Libre
app-bot = Bot ({ $level })
app-bot-named = { $name } (bot, { $level })

# === Settings ===

app-settings = Réglages
app-player = Joueur
app-player-help = Vous jouez sous ce nom jusqu’à la fermeture de l’onglet.
app-language = Langue
app-scheme = Apparence
app-scheme-system = Comme le système
app-scheme-light = Claire
app-scheme-dark = Sombre
app-sign-out = Se déconnecter

# === Signing in ===

app-sign-in = Se connecter
app-signing-in = Connexion…
app-sign-in-how = Demandez un lien au service, sur la machine où il tourne, et ouvrez-le dans ce navigateur :
app-sign-in-guests = On vous a invité à une partie ? Ouvrez le lien que vous avez reçu.
app-sign-in-by-hand = Se connecter avec un jeton
app-sign-in-token = Jeton ou clé d’API
app-sign-in-token-help = Il est gardé jusqu’à la fermeture de l’onglet, et n’est envoyé qu’à ce service.
app-sign-in-used = Ce lien a déjà servi, ou il est trop ancien. Demandez-en un nouveau.
app-session-ended = Votre session est terminée. Connectez-vous de nouveau pour continuer.
app-link-ended = Le lien par lequel vous êtes venu n’est plus valable. Demandez-en un nouveau.

# === Start ===

app-start-title = À quoi jouons-nous ?
app-start-lead = Choisissez un jeu, et installez-vous tout de suite face à des bots.
app-your-turn = C’est votre tour
app-players = Joueurs
app-bots = Bots
app-play = Jouer
app-play-last = Rejouer à { $game }
app-play-first = Jouer à { $game }
app-play-how = { $seats } joueurs, bots : { $level }
app-how = Comment jouer
app-how-game = Comment jouer à { $game }
app-starting = On dresse la table…
app-with-people = À plusieurs

# === Matches ===

app-state-open = En attente de joueurs
app-state-running = En cours
app-state-ended = Terminée
app-state-paused = Suspendue
app-state-abandoned = Terminée sans résultat
app-state-unreadable = Illisible
app-state-your-turn = À vous de jouer
app-state-at-turn = À son tour
app-state-won = Victoire
app-state-shared = Victoire partagée
app-state-lost = Défaite
app-won = Gagnant

# === Ce navigateur ===

app-tell-again = Proposer à nouveau de m’avertir
app-quiet = Heures calmes
app-quiet-start = de
app-quiet-end = à
app-quiet-help = Pendant ces heures, ce navigateur n’annonce aucun tour ; à leur fin, il annonce tous ceux qui attendent.
app-quiet-refused = Ces heures calmes ne sont pas possibles. Elles durent au plus 20 heures.
app-device-play = Jouer sur cet appareil, sans le service
app-device-title = Jouer sur cet appareil
app-device-lead = Les règles et les bots sont dans ce navigateur. Aucun réseau n’est nécessaire, et rien n’est envoyé.
