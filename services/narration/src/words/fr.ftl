# Ce que les récits de tous les jeux ont en commun. Le fichier d’un jeu peut avoir chacun de ces
# messages à sa façon ; en.ftl les explique.
#
# Devant : ; ! ? et à l’intérieur des guillemets, il y a une espace fine insécable (U+202F).

# --- Personnes : devant une voyelle, « de » s’élide ---

person = { $is ->
    [you] vous
   *[other] { $name }
}
    .them = { $is ->
        [you] vous
       *[other] { $name }
    }
    .to = { $is ->
        [you] à vous
       *[other] à { $name }
    }
    .whose = { $is ->
        [you] de vous
       *[other] { $initial ->
            [a] d’{ $name }
            [e] d’{ $name }
            [i] d’{ $name }
            [o] d’{ $name }
            [u] d’{ $name }
           *[other] de { $name }
        }
    }
seat = joueur { $number }
list = { $first } et { $last }
colon = {" : "}
semicolon = {" ; "}
nothing = rien
everything = tout
named = { $title }
named-at = { $title } { $at }
others = autres
some-pieces = quelques pièces
uncounted = un nombre inconnu de pièces
each-player = chaque joueur
each-other-player = chaque autre joueur

# --- Matériel ---

moved-dealt = { $seat-is ->
    [you] recevez { $what }
   *[other] reçoit { $what }
}
moved-drawn = { $seat-is ->
    [you] piochez { $what } { $from }
   *[other] pioche { $what } { $from }
}
moved-taken-up = { $seat-is ->
    [you] prenez { $what } { $from }
   *[other] prend { $what } { $from }
}
moved-taken = { $seat-is ->
    [you] prenez { $what } { $from }
   *[other] prend { $what } { $from }
}
moved-given = { $seat-is ->
    [you] donnez { $taker-to } { $what }
   *[other] { $taker-is ->
        [you] vous donne { $what }
       *[other] donne { $taker-to } { $what }
    }
}
moved-discarded = { $seat-is ->
    [you] défaussez { $what }
   *[other] défausse { $what }
}
moved-played = { $seat-is ->
    [you] jouez { $what } { $to }
   *[other] joue { $what } { $to }
}
moved-put = { $seat-is ->
    [you] posez { $what } { $to }
   *[other] pose { $what } { $to }
}
moved-revealed = { $seat-is ->
    [you] révélez { $what }
   *[other] révèle { $what }
}
moved-own = { $seat-is ->
    [you] déplacez { $what } { $from } { $to }
   *[other] déplace { $what } { $from } { $to }
}
moved-to-discard = { $count ->
    [one] { $what } part à la défausse
   *[other] { $what } partent à la défausse
}
moved-opened = { $count ->
    [one] { $what } arrive { $from } { $to }
   *[other] { $what } arrivent { $from } { $to }
}
moved = { $count ->
    [one] { $what } passe { $from } { $to }
   *[other] { $what } passent { $from } { $to }
}
gathered = tout ce qui est { $at } va { $to }
gathered-into-deck = tout ce qui est { $at } est mélangé { $to }
shown = { $seat-is ->
    [you] montrez { $what }
   *[other] montre { $what }
}
shown-to-one = { $seat-is ->
    [you] regardez { $what } { $at }
   *[other] regarde { $what } { $at }
}
shown-to-some = { $people } { $people-are ->
    [with-you] regardez
   *[many] regardent
} { $what } { $at }
shown-to-all = tout le monde voit { $what } { $at }

# --- Pièces de monnaie et jetons ---

paid-got = { $seat-is ->
    [you] recevez { $what }
   *[other] reçoit { $what }
}
paid = { $seat-is ->
    [you] payez { $what }
   *[other] paie { $what }
}
paid-taken = { $seat-is ->
    [you] prenez { $what } { $from }
   *[other] prend { $what } { $from }
}
paid-put = { $seat-is ->
    [you] posez { $what } { $to }
   *[other] pose { $what } { $to }
}
paid-own = { $seat-is ->
    [you] déplacez { $what } { $from } { $to }
   *[other] déplace { $what } { $from } { $to }
}
paid-taken-from = { $seat-is ->
    [you] prenez { $what } { $giver-to }
   *[other] { $giver-is ->
        [you] vous prend { $what }
       *[other] prend { $what } { $giver-to }
    }
}
paid-to = { $seat-is ->
    [you] payez { $what } { $taker-to }
   *[other] { $taker-is ->
        [you] vous paie { $what }
       *[other] paie { $what } { $taker-to }
    }
}
paid-laid = on pose { $shares }
paid-moved = { $amount ->
    [one] { $what } passe { $from } { $to }
   *[other] { $what } passent { $from } { $to }
}
paid-share = { $what } { $to }

# --- Autres événements ---

rolled = { $seat-is ->
    [you] obtenez { $what } aux dés
   *[other] obtient { $what } aux dés
}
round-began = La manche { $number } commence
phase-began = La phase { $phase } commence
turn-began = { $seat-is ->
    [you] C’est votre tour
   *[other] C’est au tour { $seat-whose }
}
turn-again = { $seat-is ->
    [you] C’est encore votre tour
   *[other] C’est encore au tour { $seat-whose }
}
offered = { $seat-is ->
    [you] proposez { $to-to } { $give } contre { $take }
   *[other] { $to-is ->
        [you] vous propose { $give } contre { $take }
       *[other] propose { $to-to } { $give } contre { $take }
    }
}
offered-gift = { $seat-is ->
    [you] offrez { $to-to } { $give } sans contrepartie
   *[other] { $to-is ->
        [you] vous offre { $give } sans contrepartie
       *[other] offre { $to-to } { $give } sans contrepartie
    }
}
offered-request = { $seat-is ->
    [you] demandez { $to-to } { $take }
   *[other] { $to-is ->
        [you] vous demande { $take }
       *[other] demande { $to-to } { $take }
    }
}
offer-closed = { $seat-is ->
    [you] votre offre
   *[other] l’offre { $seat-whose }
} n’est plus sur la table
scores = Scores : { $scores }
score = { $seat } { $points }
score-of-parts = { $seat } { $points } ({ $parts })
# Une part d’un score, comme ce qu’un joueur a en jetons.
score-part = { $title } { $sign }{ $points }
won = { $seat-is ->
    [you] vous gagnez
   *[other] { $seat } gagne
}
won-shared = { $people } { $people-are ->
    [with-you] partagez
   *[many] partagent
} la victoire
abandoned = la partie se termine sans résultat
resigned = { $seat-is ->
    [you] abandonnez la place
   *[other] abandonne la place
}
time-added = { $seat-is ->
    [you] avez plus de temps pour décider, car le service était indisponible
   *[other] a plus de temps pour décider, car le service était indisponible
}
said = { $seat-is ->
    [you] dites : « { $text } »
   *[other] dit : « { $text } »
}
said-privately = { $seat-is ->
    [you] vous adressez en privé { $people-to } : « { $text } »
   *[other] s’adresse en privé { $people-to } : « { $text } »
}
said-erased = { $seat-is ->
    [you] dites quelque chose qui a été effacé
   *[other] dit quelque chose qui a été effacé
}
said-privately-erased = { $seat-is ->
    [you] vous adressez en privé { $people-to } ; le message a été effacé
   *[other] s’adresse en privé { $people-to } ; le message a été effacé
}
said-unheard = { $seat-is ->
    [you] dites quelque chose en privé
   *[other] dit quelque chose en privé
}
contributed = { $seat-is ->
    [you] contribuez au hasard de la partie
   *[other] contribue au hasard de la partie
}
stood = { $seat-is ->
    [you] laissez la maison répondre chaque fois qu’il faut { $decision }
   *[other] laisse la maison répondre chaque fois qu’il faut { $decision }
}
stood-no-more = { $seat-is ->
    [you] répondez de nouveau en personne quand il faut { $decision }
   *[other] répond de nouveau en personne quand il faut { $decision }
}
voted = { $seat-is ->
    [you] votez
   *[other] vote
} pour { $motion ->
    [end] terminer la partie sans résultat
    [pause] suspendre la partie
   *[resume] reprendre la partie
}
voted-no-more = { $seat-is ->
    [you] ne votez plus
   *[other] ne vote plus
} pour { $motion ->
    [end] terminer la partie sans résultat
    [pause] suspendre la partie
   *[resume] reprendre la partie
}
paused = la partie est suspendue
resumed = la partie reprend
replaced = { $seat } reprend la place
opened = mise en place
house = la maison agit

# --- Décisions ---

prompt-must = { $people-are ->
    [you] vous devez { $decision }
    [many] { $people } doivent { $decision }
    [with-you] { $people } devez { $decision }
   *[one] { $people } doit { $decision }
}
prompt-may = { $people-are ->
    [you] vous pouvez { $decision }
    [many] { $people } peuvent { $decision }
    [with-you] { $people } pouvez { $decision }
   *[one] { $people } peut { $decision }
}

# --- Actions de tous les jeux ---

verb-open = Mise en place
    .help = La maison met la table en place.
verb-resign = Abandonner
    .help = Abandonne : désormais, la maison répond pour cette place, qui ne peut plus gagner.
    .does = { $seat-is ->
        [you] abandonnez
       *[other] abandonne
    }
verb-timeout = Temps écoulé
    .help = Le temps de la place est écoulé : la maison répond une fois pour elle, ou la place abandonne.
    .does = { $seat-is ->
        [you] dépassez le temps imparti
       *[other] dépasse le temps imparti
    }
verb-add-time = Temps rendu
    .help = Les places qui ont quelque chose à décider retrouvent le temps pendant lequel le service était indisponible.
verb-say = Dire
    .help = Dit quelque chose à tout le monde, ou en privé à certains joueurs. Cela n’engage à rien.
    .label = { $to-count ->
        [0] Dire « { $text } »
       *[other] Dire en privé « { $text } » (pour { $to })
    }
    .short = Dire « { $text } »
verb-undo = Annuler
    .help = Annule la dernière action de la place, si elle n’a rien révélé, si le hasard n’y a pris aucune part et si personne n’a agi depuis.
    .does = { $seat-is ->
        [you] annulez la dernière action
       *[other] annule la dernière action
    }
verb-vote = Voter
    .help = Vote pour terminer la partie sans résultat, la suspendre ou la reprendre. Il faut les voix de tous ceux qui n’ont pas abandonné.
verb-abandon = Terminer sans résultat
    .help = La partie se termine, et ne compte pas.
verb-pause = Suspendre
    .help = La partie est en pause, et personne ne peut agir jusqu’à sa reprise.
verb-resume = Reprendre
    .help = La partie continue après une pause.
verb-replace = Remplacer
    .help = Un autre joueur reprend une place.
verb-stand = Réponse permanente
    .help = Laisse désormais la maison répondre à une question, comme si personne n’était là, ou y met fin.
    .label = { $on ->
        [yes] Laisser la maison répondre chaque fois qu’il faut { $decision }
       *[no] Répondre de nouveau quand il faut { $decision }
    }
option-talk = Discussion
    .description = Si les joueurs peuvent se parler, à tous ou en privé, et si leur nombre de messages est limité.
    .is-off = Non
    .is-on = Oui
    .is-unlimited = Sans limite
option-first-seat = Qui commence
    .description = Le joueur qui commence.
    .is-random = Le hasard décide

# --- Une partie en une ou deux phrases ---

summary = { $open ->
    [0] { $game } : { $people }
    [one] { $game } : { $people }, une place est libre
   *[other] { $game } : { $people }, { $open } places sont libres
}
summary-turn = { $round ->
    [0] { $seat-is ->
        [you] c’est votre tour
       *[other] c’est au tour { $seat-whose }
    }
   *[other] manche { $round }, { $seat-is ->
        [you] c’est votre tour
       *[other] c’est au tour { $seat-whose }
    }
}
summary-waiting = en attente : { $people }
waiting = { $matches ->
    [one] C’est votre tour
   *[other] C’est votre tour dans { $matches } parties
}

# --- La table en lignes de texte ---

table-common = Sur la table
table-score = score
table-round = manche { $number }
table-phase = phase { $phase }
table-turn = { $seat-is ->
    [you] c’est votre tour
   *[other] c’est au tour { $seat-whose }
}
table-below = { $count } en dessous
table-seat = { $seat-is ->
    [you] Vous
   *[other] { $seat }
}, place { $number }{ $scored ->
    [yes] , { $points } { $points ->
        [one] point
       *[other] points
    }
   *[no] {""}
}{ $resigned ->
    [yes] , abandon
   *[no] {""}
}

# --- Pourquoi une action n’a eu aucun effet : raisons de tous les jeux ---

refusal-match-ended = la partie est terminée
refusal-not-seated = cette place n’existe pas dans la partie
refusal-resigned = après un abandon, on ne peut plus agir
refusal-not-asked = cette place n’a rien à décider pour l’instant
refusal-no-such-seat = cette place n’existe pas dans cette partie
refusal-yourself = on ne se parle pas à soi-même
refusal-text-blank = un texte doit montrer quelque chose
refusal-text-too-long = un texte a { $characters-max } caractères au plus ; celui-ci en a { $characters }
refusal-text-not-plain = le caractère { $character } du texte n’est pas permis
refusal-no-standing-answer = la maison ne peut pas répondre à cela pour un joueur : { $decision }
refusal-nothing-changes = il en est déjà ainsi
refusal-match-paused = la partie est suspendue
refusal-match-not-paused = la partie n’est pas suspendue
refusal-take-back-nothing = votre dernière action n’est pas la dernière chose qui s’est passée
refusal-take-back-chance = le hasard y a pris part : impossible de l’annuler
refusal-take-back-revealed = impossible de l’annuler : d’autres en ont appris quelque chose{ $revealed-count ->
    [0] {""}
   *[other] {" "}({ $revealed })
}
refusal-take-back-final = impossible de l’annuler
refusal-not-resigned = le joueur de cette place n’a pas abandonné

# --- Pourquoi un appel n’a eu aucun effet : raisons du service que les joueurs rencontrent ---

refusal-not-your-seat = ce n’est pas votre place
refusal-position-moved = la partie a avancé entre-temps
refusal-prompt-moved = ce n’est plus ce qui est demandé
refusal-match-not-started = la partie n’a pas encore commencé
refusal-suggestions-against-people = pas de conseils contre des personnes
refusal-match-not-ended = la partie n’est pas terminée
refusal-match-full = il n’y a plus de place libre dans la partie
refusal-seat-taken = la place est occupée
refusal-display-name-taken = quelqu’un d’autre porte déjà ce nom dans la partie
refusal-talk-off = on ne discute pas dans cette partie
refusal-too-many-asides = assez parlé pour l’instant ; la discussion reprend au prochain tour
refusal-rate-limit-exceeded = c’était trop rapide ; réessayez dans un instant
