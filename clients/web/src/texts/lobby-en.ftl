## The lobby
