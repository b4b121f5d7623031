# Classes have nothing of their own here: a ban on their path, see purge.vcl, will do.

sub orestes_purge_class {
}
