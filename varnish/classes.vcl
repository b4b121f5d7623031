# How whole classes are forgotten. `./orestes varnish` writes this anew: with lib/classes-xkey.vcl if the module is there.

include "lib/classes-ban.vcl";
